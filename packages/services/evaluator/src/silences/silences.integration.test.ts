import { levelOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openForFile } from '@tidewatch/harness/opened';
import { CommitSignal } from '@tidewatch/runtime/process/commit-signal';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness } from '../testing/evaluator.harness.ts';
import { SilencesHarness } from '../testing/silences.harness.ts';
import type { SilenceMarks } from './silence-marks.ts';

const harness = await openForFile(EvaluatorHarness.open());
const silences = new SilencesHarness(harness);

const HOUR = 60;
const TWO = [
  levelOf('warning', 80, { duration_minutes: 0 }),
  levelOf('critical', 95, { duration_minutes: 0 }),
];
const SOON = { interval: 10 };

/** Fires an alert now and returns it. */
async function fire(host: string, rule: { id: string; metric: string }, more = {}) {
  await harness.send(host, rule.metric, [[0, 95]], more);
  return (await harness.alerts(rule.id)).find(
    (alert) => alert.host === host && alert.status === 'active',
  ) as Record<string, never>;
}

/** Runs processes that compare silences with alerts until the ends of silences have been emitted. */
async function compare(...processes: SilenceMarks[]): Promise<void> {
  const working = processes.length > 0 ? processes : [silences.marks()];
  for (const each of working) each.start();
  const left = () => harness.store.sql`
    select from alerts a left join silences s on s.organization_id = a.organization_id and s.id = a.silenced_by
    where a.status = 'active' and least(a.silenced_until, s.ended_at) <= ${harness.now}
    union all select from silences where ended_at is null and ends_at <= ${harness.now}`;
  await expect.poll(left, SOON).toHaveLength(0);
  await Promise.all(working.map((each) => each.stop()));
}

const silencedBy = async (rule: { id: string }) =>
  (await harness.alerts(rule.id)).map(({ silenced_by: by }) => by);

describe('an alert that fires', () => {
  test('is muted by a silence created before its sample arrived, in its row and in its event', async () => {
    const { host, rule } = await harness.hostAndRule({ severity: 'critical' });
    const before = await fire(harness.newHost(), rule);
    const id = await silences.silence({ hosts: ['host-*'], rule_ids: [rule.id], severities: ['critical'] });
    const muted = await fire(host, rule);
    expect([before.silenced_by, muted.silenced_by, muted.silenced_until]).toEqual([
      null,
      id,
      harness.now + 60 * MINUTE_MS,
    ]);
    const [event] = (await harness.events()).filter(({ subject }) => subject === muted.id) as unknown as [
      { data: { alert: object } },
    ];
    expect(event.data.alert).toMatchObject({ id: muted.id, silenced_by: id });
    await silences.end(id);
    expect((await fire(harness.newHost(), rule)).silenced_by).toBeNull();
  });

  test.each<[string, (host: string, rule: string) => Parameters<SilencesHarness['silence']>, muted: boolean]>(
    [
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
    ],
  )('is muted %s', async (_, choose, muted) => {
    const { host, rule } = await harness.hostAndRule();
    const id = await silences.silence(...choose(host, rule.id));
    const alert = await fire(host, rule, { tags: { env: 'prod-1' } });
    expect(alert.silenced_by).toBe(muted ? id : null);
    await silences.end(id);
  });

  test('is muted by a silence of its container only', async () => {
    const { host, rule } = await harness.hostAndRule({ metric: 'container.cpu_percent' });
    const id = await silences.silence({
      subjects: [{ kind: 'container', name: 'api-*' }],
      rule_ids: [rule.id],
    });
    const containers = ['api-1', 'db-1'].map((name) => ({ name, cpu_percent: 95 }));
    await harness.send(host, 'other', [[0, 1]], { containers });
    const mutedBy = (await harness.alerts(rule.id)).map((alert) => [alert.subject_name, alert.silenced_by]);
    expect(Object.fromEntries(mutedBy)).toEqual({ 'api-1': id, 'db-1': null });
    await silences.end(id);
    await compare();
  });

  test('and escalates is muted by the silence that matches its new severity', async () => {
    const { host, rule } = await harness.hostAndRule({ threshold: null, thresholds: TWO });
    const emitted = async () =>
      (await harness.events())
        .filter(({ data }) => data['alert']?.['rule_id'] === rule.id)
        .map(({ type, data }) => [type, data['alert']?.['silenced_by']]);
    const mild = await silences.silence({ hosts: [host], severities: ['warning'] });
    await harness.send(host, rule.metric, [[-3, 85]]);
    await harness.send(host, rule.metric, [[-2, 99]]);
    expect(await emitted()).toEqual([
      ['alert.fired', mild],
      ['alert.escalated', null],
    ]);
    const other = harness.newHost();
    await silences.end(mild);
    await harness.send(other, rule.metric, [[-3, 85]]);
    const whole = await silences.silence({ hosts: [other] });
    await harness.send(other, rule.metric, [[-2, 99]]);
    expect((await emitted()).slice(2)).toEqual([
      ['alert.fired', null],
      ['alert.escalated', whole],
    ]);
    await silences.end(whole);
    await compare();
    expect((await silencedBy(rule)).every((by) => by === null)).toBe(true);
  });

  test('and eases is muted by the silence that matches its new severity', async () => {
    const { host, rule } = await harness.hostAndRule({ threshold: null, thresholds: TWO });
    const mild = await silences.silence({ hosts: [host], severities: ['warning'] });
    await harness.send(host, rule.metric, [[-3, 99]]);
    expect(await silencedBy(rule)).toEqual([null]);
    await harness.send(host, rule.metric, [[-2, 85]]);
    expect(await silencedBy(rule)).toEqual([mild]);
    await silences.end(mild);
    await compare();
  });
});

describe('an alert that has fired', () => {
  test.each<[string, (host: string, rule: string) => Parameters<SilencesHarness['silence']>, muted: boolean]>(
    [
      ['of its host', (host) => [{ hosts: [host] }], true],
      ['of its rule', (_, rule) => [{ rule_ids: [rule] }], true],
      ['of its severity', (host) => [{ hosts: [host], severities: ['warning'] }], true],
      ['of its subject', (host) => [{ subjects: [{ kind: 'host', name: host }] }], true],
      ['of its tags', () => [{ tags: { env: 'prod-*' } }], true],
      ['of another severity', (host) => [{ hosts: [host], severities: ['critical'] }], false],
      ['that is yet to begin', (host) => [{ hosts: [host] }, { from: 1 }], false],
    ],
  )('is muted by a silence %s that begins afterwards', async (_, choose, muted) => {
    const { host, rule } = await harness.hostAndRule();
    await fire(host, rule, { tags: { env: 'prod-1' } });
    const id = await silences.silence(...choose(host, rule.id));
    const process = silences.marks();
    process.start();
    if (muted) await expect.poll(() => silencedBy(rule), SOON).toEqual([id]);
    await process.stop();
    expect(await silencedBy(rule)).toEqual([muted ? id : null]);
    await silences.end(id);
    await compare();
    expect(await silencedBy(rule)).toEqual([null]);
  });

  test('is muted by a first silence as soon as its commit is announced, and no more once its end is', async () => {
    const { host, rule } = await harness.hostAndRule();
    await fire(host, rule);
    const commits = new CommitSignal();
    const process = silences.marks({ commits });
    process.start();
    const id = await silences.silence({ hosts: [host] });
    commits.emit();
    await expect.poll(() => silencedBy(rule), SOON).toEqual([id]);
    await silences.end(id);
    commits.emit();
    await expect.poll(() => silencedBy(rule), SOON).toEqual([null]);
    await process.stop();
  });

  test('is muted when a scheduled silence begins, and in each window of a recurring one', async () => {
    const { host, rule } = await harness.hostAndRule();
    await fire(host, rule);
    const id = await silences.silence({ hosts: [host] }, { from: 5, until: 10, recurrence: 'FREQ=HOURLY' });
    const process = silences.marks();
    process.start();
    for (const [minutes, wanted] of [
      [5, id],
      [5, null],
      [55, id],
      [5, null],
    ] as const) {
      harness.now += minutes * MINUTE_MS;
      await expect.poll(() => silencedBy(rule), SOON).toEqual([wanted]);
    }
    await process.stop();
    await silences.end(id);
  });

  test('is muted though its row was stored while silences were being compared with alerts', async () => {
    const { host, rule } = await harness.hostAndRule();
    const id = await silences.silence({ hosts: [host] });
    const process = silences.marks();
    process.start();
    await fire(host, rule);
    await harness.store
      .sql`update alerts set silenced_by = null, silenced_until = null where rule_id = ${rule.id}`;
    await harness.store.sql`select pg_sleep(0.1)`;
    harness.now += 5_000;
    await expect.poll(() => silencedBy(rule), SOON).toEqual([id]);
    await process.stop();
    await silences.end(id);
    await compare();
  });

  test('is no longer muted once the tags of its host no longer match the silence', async () => {
    const { host, rule } = await harness.hostAndRule();
    const id = await silences.silence({ tags: { env: 'staging' } });
    const alert = await fire(host, rule, { tags: { env: 'staging' } });
    expect(alert.silenced_by).toBe(id);
    await harness.send(host, rule.metric, [[0, 95]], { tags: { env: 'prod' } });
    harness.now += 2 * MINUTE_MS;
    const process = silences.marks();
    process.start();
    await expect.poll(() => silencedBy(rule), SOON).toEqual([null]);
    await process.stop();
    await silences.end(id);
  });
});

describe('when a silence ends', () => {
  test.each(['by itself', 'by hand'])(
    '%s, the alerts that it muted are no longer muted, and its end is emitted once',
    async (how) => {
      const [one, cleared] = [harness.newHost(), harness.newHost()];
      const rule = await harness.rule();
      const id = await silences.silence({ hosts: [one, cleared] }, { until: 1 });
      const alert = await fire(one, rule);
      const gone = await fire(cleared, rule);
      await harness.send(cleared, rule.metric, [[0, 1]]);
      await compare();
      if (how === 'by hand') await silences.end(id);
      else harness.now += MINUTE_MS;
      await compare(silences.marks(), silences.marks());
      await compare();
      expect(await harness.typesOf(alert.id as never)).toEqual(['alert.fired']);
      expect(await harness.typesOf(id)).toEqual(['silence.created', 'silence.ended']);
      const rows = await harness.alerts(rule.id);
      expect(rows.find((row) => row.id === alert.id)).toMatchObject({
        silenced_by: null,
        silenced_until: null,
      });
      // A resolved alert keeps the silence that muted it.
      expect(rows.find((row) => row.id === gone.id)).toMatchObject({ silenced_by: id, status: 'resolved' });
    },
  );

  test('its alerts are muted by another active silence, even by one that began after that end', async () => {
    const { host, rule } = await harness.hostAndRule();
    const first = await silences.silence({ hosts: [host] }, { until: 3 });
    expect((await fire(host, rule)).silenced_by).toBe(first);
    const second = await silences.silence({ hosts: [host] }, { from: 4, until: 10 });
    harness.now += 5 * MINUTE_MS;
    await compare();
    expect(await silencedBy(rule)).toEqual([second]);
    await silences.end(second);
    await compare();
    expect(await silencedBy(rule)).toEqual([null]);
  });

  test('its alerts are unmuted although the process that held the lease died', async () => {
    const { host, rule } = await harness.hostAndRule();
    const id = await silences.silence({ hosts: [host], rule_ids: [rule.id] }, { until: 1 });
    await fire(host, rule);
    harness.now += MINUTE_MS;
    let failures = 0;
    const dying = silences.marks({
      newId() {
        failures += 1;
        throw new Error('died');
      },
    });
    dying.start();
    await expect.poll(() => failures, SOON).toBeGreaterThan(1);
    await dying.stop();
    expect(await silencedBy(rule)).toEqual([id]);
    await compare();
    expect(await silencedBy(rule)).toEqual([null]);
    expect(await harness.typesOf(id)).toEqual(['silence.created', 'silence.ended']);
  });

  test('many alerts are muted and unmuted in several transactions', async () => {
    const rule = await harness.rule();
    const hosts = Array.from({ length: 1_234 }, (_, i) => `many-${i}`);
    await harness.publish([harness.requestOf(hosts, { [rule.metric]: 95 })], { store: false });
    const muted = async () => {
      const [row] = await harness.store.sql<{ count: number }[]>`
        select count(*)::int as count from alerts where rule_id = ${rule.id} and silenced_by is not null`;
      return row?.count;
    };
    const patient = { interval: 100 };
    const id = await silences.silence({ rule_ids: [rule.id] });
    const processes = [silences.marks(), silences.marks()];
    for (const each of processes) each.start();
    await expect.poll(muted, patient).toBe(1_234);
    await silences.end(id);
    await expect.poll(muted, patient).toBe(0);
    await Promise.all(processes.map((each) => each.stop()));
  });

  test('an organization with many alerts does not delay the alerts of others', async () => {
    const rule = await harness.rule();
    const hosts = Array.from({ length: 1_600 }, (_, i) => `crowd-${i}`);
    await harness.publish([harness.requestOf(hosts, { [rule.metric]: 95 })], { store: false });
    const other = 'org_00000000000070008000000000000009';
    const [copied] = await harness.alerts(rule.id);
    const { sql } = harness.store;
    await sql`insert into organizations (id, name) values (${other}, 'other') on conflict do nothing`;
    await sql`insert into alerts select (jsonb_populate_record(a, jsonb_build_object('organization_id', ${other}::text, 'id', ${newId('alr')}::text))).*
      from alerts a where id = ${copied?.id}`;
    await silences.silence({ rule_ids: [rule.id] });
    await silences.silence({ rule_ids: [rule.id] }, { organizationId: other });
    const process = silences.marks();
    process.start();
    const unmuted = async () =>
      (await sql`select from alerts where rule_id = ${rule.id} and silenced_by is null limit 1`).length;
    await expect.poll(unmuted, { interval: 100 }).toBe(0);
    await process.stop();
    // Transaction ids are in the order of first writes.
    const [order] = await sql<{ own: string; last: string }[]>`
      select max(xmin::text::bigint) filter (where organization_id = ${other}) as own, max(xmin::text::bigint) as last
      from alerts where rule_id = ${rule.id}`;
    expect(Number(order?.last)).toBeGreaterThan(Number(order?.own));
  });
});
