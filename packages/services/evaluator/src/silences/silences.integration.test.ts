import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EvaluatorBed } from '../evaluator.bed.ts';
import type { SilenceEnds } from './silence-ends.ts';
import { SilencesBed } from './silences.bed.ts';

let bed: EvaluatorBed;
let silences: SilencesBed;
beforeAll(async () => {
  bed = await EvaluatorBed.open();
  silences = new SilencesBed(bed);
});
afterAll(() => bed?.close());

const MINUTE = 60_000;
const HOUR = 60;
const SOON = { timeout: 10_000, interval: 10 };
let hosts = 0;
const newHost = () => `host-${++hosts}`;
const typesOf = async (id: string) =>
  (await bed.events()).filter(({ subject }) => subject === id).map(({ type }) => type);

/** The alert of a breach now. */
async function fire(host: string, rule: { id: string; metric: string }, more = {}) {
  await bed.send(host, rule.metric, [[0, 95]], more);
  return (await bed.alerts(rule.id)).find(
    (alert) => alert.host === host && alert.status === 'active',
  ) as Record<string, never>;
}

/** Lets processes tell what has ended until nothing is left to tell. */
async function tell(...processes: SilenceEnds[]): Promise<void> {
  const working = processes.length > 0 ? processes : [silences.ends()];
  for (const each of working) each.start();
  const left = () => bed.store.sql`
    select from alerts a left join silences s on s.org_id = a.org_id and s.id = a.silenced_by
    where a.status = 'active' and least(a.silenced_until, s.ended_at) <= ${bed.now}
    union all select from silences where ended_at is null and ends_at <= ${bed.now}`;
  await expect.poll(left, SOON).toHaveLength(0);
  await Promise.all(working.map((each) => each.stop()));
}

describe('an alert that fires', () => {
  test('is muted by a silence that was created before its sample came, in its row and its event', async () => {
    const host = newHost();
    const rule = await bed.rule({ severity: 'critical' });
    const before = await fire(newHost(), rule);
    const id = await silences.silence({ hosts: ['host-*'], rule_ids: [rule.id], severities: ['critical'] });
    const muted = await fire(host, rule);
    expect([before.silenced_by, muted.silenced_by, muted.silenced_until]).toEqual([
      null,
      id,
      bed.now + 60 * MINUTE,
    ]);
    const [event] = (await bed.events()).filter(({ subject }) => subject === muted.id) as unknown as [
      { data: { alert: object } },
    ];
    expect(event.data.alert).toMatchObject({ id: muted.id, silenced_by: id });
    await silences.end(id);
    expect((await fire(newHost(), rule)).silenced_by).toBeNull();
  });

  test.each<[string, (host: string, rule: string) => Parameters<SilencesBed['silence']>, muted: boolean]>([
    ['by its tags, even new ones', () => [{ tags: { env: 'prod-*' } }], true],
    ['by its subject', (host) => [{ subjects: [{ kind: 'host', name: host }] }], true],
    ['not by another host', (host) => [{ hosts: [`${host}x`] }], false],
    ['not by another severity', (host) => [{ hosts: [host], severities: ['info'] }], false],
    ['not before it begins', (host) => [{ hosts: [host] }, { from: 1 }], false],
    ['not once it is over', (host) => [{ hosts: [host] }, { from: -2, until: 0 }], false],
    [
      'within a window',
      (host) => [{ hosts: [host] }, { from: -24 * HOUR, until: -24 * HOUR + 1, recurrence: 'FREQ=DAILY' }],
      true,
    ],
    [
      'not between two',
      (host) => [{ hosts: [host] }, { from: -25 * HOUR, until: -24 * HOUR, recurrence: 'FREQ=DAILY' }],
      false,
    ],
  ])('is muted %s', async (_, choose, muted) => {
    const host = newHost();
    const rule = await bed.rule();
    const id = await silences.silence(...choose(host, rule.id));
    const alert = await fire(host, rule, { tags: { env: 'prod-1' } });
    expect(alert.silenced_by).toBe(muted ? id : null);
    await silences.end(id);
  });

  test('is muted by the container that it is of', async () => {
    const host = newHost();
    const rule = await bed.rule({ metric: 'container.cpu_percent' });
    const id = await silences.silence({
      subjects: [{ kind: 'container', name: 'api-*' }],
      rule_ids: [rule.id],
    });
    const containers = ['api-1', 'db-1'].map((name) => ({ name, cpu_percent: 95 }));
    await bed.send(host, 'other', [[0, 1]], { containers });
    const mutedBy = (await bed.alerts(rule.id)).map((alert) => [alert.subject_name, alert.silenced_by]);
    expect(Object.fromEntries(mutedBy)).toEqual({ 'api-1': id, 'db-1': null });
    await silences.end(id);
    await tell();
  });

  test('and gets worse is muted anew, by what matches it then', async () => {
    const host = newHost();
    const threshold = { threshold_max: null, recovery_threshold: null, duration_minutes: 0 };
    const rule = await bed.rule({
      threshold: null,
      thresholds: [
        { ...threshold, severity: 'warning', threshold: 80 },
        { ...threshold, severity: 'critical', threshold: 95 },
      ],
    });
    const told = async () =>
      (await bed.events())
        .filter(({ data }) => data['alert']?.['rule_id'] === rule.id)
        .map(({ type, data }) => [type, data['alert']?.['silenced_by']]);
    const mild = await silences.silence({ hosts: [host], severities: ['warning'] });
    await bed.send(host, rule.metric, [[-3, 85]]);
    await bed.send(host, rule.metric, [[-2, 99]]);
    expect(await told()).toEqual([
      ['alert.fired', mild],
      ['alert.escalated', null],
    ]);
    const other = newHost();
    await silences.end(mild);
    await bed.send(other, rule.metric, [[-3, 85]]);
    const whole = await silences.silence({ hosts: [other] });
    await bed.send(other, rule.metric, [[-2, 99]]);
    expect((await told()).slice(2)).toEqual([
      ['alert.fired', null],
      ['alert.escalated', whole],
    ]);
    await silences.end(whole);
    await tell();
    expect((await told()).slice(4)).toEqual([['alert.silence_ended', null]]);
  });

  test('was not muted afterwards', async () => {
    const host = newHost();
    const rule = await bed.rule();
    await fire(host, rule);
    const id = await silences.silence({ hosts: [host] });
    await bed.send(host, rule.metric, [[0, 99]]);
    expect((await bed.alerts(rule.id))[0]?.silenced_by).toBeNull();
    await silences.end(id);
    await tell();
  });
});

describe('when a silence ends', () => {
  test.each(['by itself', 'by hand'])('%s, what it muted and still fires is told once', async (how) => {
    const [one, two, cleared] = [newHost(), newHost(), newHost()];
    const rule = await bed.rule({ runbook_url: 'https://wiki.example.com/r' });
    const id = await silences.silence({ hosts: [one, two, cleared] }, { until: 1 });
    const alerts = [await fire(one, rule), await fire(two, rule)];
    const gone = await fire(cleared, rule);
    await bed.send(cleared, rule.metric, [[0, 1]]);
    await tell();
    expect(await typesOf(alerts[0]?.id as never)).toEqual(['alert.fired']);
    if (how === 'by hand') await silences.end(id);
    else bed.now += MINUTE;
    await tell(silences.ends(), silences.ends());
    await tell();
    for (const alert of alerts)
      expect(await typesOf(alert.id as never)).toEqual(['alert.fired', 'alert.silence_ended']);
    expect(await typesOf(gone.id as never)).toEqual(['alert.fired', 'alert.resolved']);
    expect(await typesOf(id)).toEqual(['silence.created', 'silence.ended']);
    const told = (await bed.events()).findLast(({ subject }) => subject === alerts[0]?.id);
    expect(told?.data).toMatchObject({
      alert: { silenced_by: null, status: 'active' },
      rule: { id: rule.id, runbook_url: 'https://wiki.example.com/r' },
    });
    const mutedBy = (await bed.alerts(rule.id)).map(({ silenced_by: by }) => by);
    expect(mutedBy.filter((by) => by !== null)).toEqual([id]);
  });

  test('another goes on muting, and what fires still is told when that ends', async () => {
    const host = newHost();
    const rule = await bed.rule();
    const first = await silences.silence({ hosts: [host] }, { until: 3 });
    const alert = await fire(host, rule);
    const second = await silences.silence({ hosts: [host] }, { from: 1, until: 10 });
    bed.now += 3 * MINUTE;
    await tell();
    expect(alert.silenced_by).toBe(first);
    expect((await bed.alerts(rule.id))[0]).toMatchObject({ silenced_by: second });
    expect(await typesOf(alert.id as never)).toEqual(['alert.fired']);
    await silences.end(second);
    await tell();
    expect((await bed.alerts(rule.id))[0]).toMatchObject({ silenced_by: null, silenced_until: null });
    expect(await typesOf(alert.id as never)).toEqual(['alert.fired', 'alert.silence_ended']);
  });

  test('it is told although the process that should have told died', async () => {
    const host = newHost();
    const rule = await bed.rule();
    await silences.silence({ hosts: [host], rule_ids: [rule.id] }, { until: 1 });
    const alert = await fire(host, rule);
    bed.now += MINUTE;
    let failures = 0;
    const dying = silences.ends({
      newId() {
        failures += 1;
        throw new Error('died');
      },
    });
    dying.start();
    await expect.poll(() => failures, SOON).toBeGreaterThan(1);
    await dying.stop();
    expect((await bed.alerts(rule.id))[0]?.silenced_by).not.toBeNull();
    await tell();
    expect(await typesOf(alert.id as never)).toEqual(['alert.fired', 'alert.silence_ended']);
  });

  test('a window of a recurring one, it is told once, however late, and whether or not the next has begun', async () => {
    const host = newHost();
    const rule = await bed.rule();
    const id = await silences.silence({ hosts: [host] }, { until: 10, recurrence: 'FREQ=HOURLY' });
    const alert = await fire(host, rule);
    bed.now += 65 * MINUTE;
    await tell();
    expect(await typesOf(alert.id as never)).toEqual(['alert.fired', 'alert.silence_ended']);
    bed.now += 10 * MINUTE;
    await tell();
    expect(await typesOf(alert.id as never)).toEqual(['alert.fired', 'alert.silence_ended']);
    expect(await typesOf(id)).toEqual(['silence.created']);
    await silences.end(id);
  });

  test('many alerts are told in parts, each once', async () => {
    const rule = await bed.rule();
    const id = await silences.silence({ rule_ids: [rule.id] });
    const payloads = Array.from({ length: 1_234 }, (_, i) => ({
      host: `many-${i}`,
      time: bed.now,
      ...metricsOf({ [rule.metric]: 95 }),
    }));
    const organizationId = 'org_00000000000070008000000000000001';
    await bed.publish([{ kind: 'samples', organizationId, receivedAt: bed.now, stalledMs: 0, payloads }], {
      store: false,
    });
    await silences.end(id);
    await tell(silences.ends(), silences.ends());
    const rows = await bed.store.sql`
      select count(*)::int as told, count(distinct event ->> 'subject')::int as alerts from outbox
      where event ->> 'type' = 'alert.silence_ended' and event -> 'data' -> 'alert' ->> 'rule_id' = ${rule.id}`;
    expect([...rows]).toEqual([{ told: 1_234, alerts: 1_234 }]);
  });
});
