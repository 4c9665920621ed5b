import { metricsOf, type SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EvaluatorBed, ORGANIZATION } from './evaluator.bed.ts';

let bed: EvaluatorBed;
beforeAll(async () => {
  bed = await EvaluatorBed.open();
});
afterAll(() => bed?.close());
beforeEach(async () => {
  bed.alertsAtOnce = 10;
  await bed.begin();
});

/** What hosts send now, of as long ago as `age` says, ms. */
function requestOf(hosts: string[], values: Record<string, number>, age = 0): SampleRecord {
  const payloads = hosts.map((host) => ({ host, time: bed.now - age, ...metricsOf(values) }));
  return { kind: 'samples', organizationId: ORGANIZATION, receivedAt: bed.now, stalledMs: 0, payloads };
}

const hostsOf = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${i}`);

describe('a storm of alerts', () => {
  test('fires in as many transactions as its size asks for, each alert once and at the time of its sample', async () => {
    const rule = await bed.rule();
    const count = await bed.publish([requestOf(hostsOf('storm', 35), { [rule.metric]: 95 })]);
    expect(count).toBe(4);
    const alerts = await bed.alerts(rule.id);
    expect(alerts.map(({ fired_at }) => fired_at)).toEqual(Array(35).fill(bed.now));
    expect(new Set(alerts.map(({ host }) => host)).size).toBe(35);
  });

  test('resolves in parts too', async () => {
    const rule = await bed.rule();
    await bed.publish([requestOf(hostsOf('ending', 35), { [rule.metric]: 95 })]);
    bed.now += 60_000;
    const count = await bed.publish([requestOf(hostsOf('ending', 35), { [rule.metric]: 1 })]);
    expect(count).toBe(4);
    const alerts = await bed.alerts(rule.id);
    expect(alerts.map(({ resolved_at }) => resolved_at)).toEqual(Array(35).fill(bed.now));
  });

  test('of one sample that many rules evaluate is taken in parts, and the sample is judged whole', async () => {
    const [{ metric }] = [await bed.rule()];
    for (let i = 1; i < 25; i += 1) await bed.rule({ metric });
    const count = await bed.publish([requestOf(['one'], { [metric]: 95 })]);
    expect(count).toBe(3);
    const alerts = await bed.store.sql`select 1 from alerts where metric = ${metric}`;
    expect(alerts).toHaveLength(25);
  });

  test('goes on after a restart where the request is sent again', async () => {
    const rule = await bed.rule();
    const storm = requestOf(hostsOf('restart', 35), { [rule.metric]: 95 });
    const delivery = { topic: 't', partition: 0, offset: 0n, key: '', value: storm, publishedAt: bed.now };
    await bed.store.transact((tx) => bed.evaluator.consumer.handle([delivery], tx));
    bed.evaluator.consumer.committed?.();
    expect(await bed.alerts(rule.id)).toHaveLength(10);
    await bed.begin();
    await bed.publish([storm]);
    expect(await bed.alerts(rule.id)).toHaveLength(35);
  });

  test('of many containers that end at once is taken in parts', async () => {
    const rule = await bed.rule({ metric: 'container.cpu_percent' });
    const containers = hostsOf('c', 25).map((name) => ({ name, cpu_percent: 95 }));
    const request = (members: typeof containers) => {
      const record = requestOf(['with-containers'], { load: 1 });
      if (record.kind === 'samples') for (const payload of record.payloads) payload.containers = members;
      return record;
    };
    expect(await bed.publish([request(containers)])).toBe(3);
    const active = async () => (await bed.alerts(rule.id)).filter(({ status }) => status === 'active').length;
    expect(await active()).toBe(25);
    for (let i = 0; i < 2; i += 1) {
      bed.now += 60_000;
      await bed.publish([request([])]);
      expect(await active()).toBe(25);
    }
    bed.now += 60_000;
    expect(await bed.publish([request([])])).toBe(3);
    expect(await active()).toBe(0);
  });

  test('ends in parts where its rule is deleted, over a restart too', async () => {
    const rule = await bed.rule();
    await bed.publish([requestOf(hostsOf('deleted', 35), { [rule.metric]: 95 })]);
    const active = async () => (await bed.alerts(rule.id)).filter(({ status }) => status === 'active').length;
    await bed.deleteRule(rule.id);
    await bed.publish([requestOf(['another'], { load: 1 })]);
    expect(await active()).toBe(25);
    await bed.begin();
    await bed.publish([requestOf(['another'], { load: 1 })]);
    expect(await active()).toBe(15);
    await bed.publish([requestOf(['another'], { load: 1 })], { fail: true });
    for (let i = 0; i < 2; i += 1) await bed.publish([requestOf(['another'], { load: 1 })]);
    expect(await active()).toBe(0);
    const alerts = await bed.alerts(rule.id);
    expect(new Set(alerts.map(({ resolution }) => resolution))).toEqual(new Set(['rule_deleted']));
    expect(await bed.store.sql`select 1 from rule_states where rule_id = ${rule.id}`).toHaveLength(0);
  });

  test('begins anew where its rule is switched off and on before all has ended', async () => {
    const rule = await bed.rule();
    const hosts = hostsOf('back', 25);
    await bed.publish([requestOf(hosts, { [rule.metric]: 95 })]);
    await bed.edit(rule.id, { enabled: false });
    await bed.publish([requestOf(['another'], { load: 1 })]);
    await bed.edit(rule.id, { enabled: true });
    bed.now += 60_000;
    await bed.publish([requestOf(hosts, { [rule.metric]: 95 })]);
    const statuses = (await bed.alerts(rule.id)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'resolved')).toHaveLength(25);
    expect(statuses.filter((status) => status === 'active')).toHaveLength(25);
    expect(await bed.store.sql`select 1 from rule_states where rule_id = ${rule.id}`).toHaveLength(25);
  });

  const statusesOf = async (ruleId: string) => {
    const alerts = await bed.alerts(ruleId);
    const active = alerts.filter(({ status }) => status === 'active').length;
    return { active, resolutions: [...new Set(alerts.flatMap(({ resolution }) => resolution ?? []))] };
  };
  const another = () => bed.publish([requestOf(['another'], { load: 1 })]);

  test('ends in parts where its rule is edited, over a restart and a rollback too', async () => {
    const rule = await bed.rule();
    await bed.publish([requestOf(hostsOf('edited', 45), { [rule.metric]: 95 })]);
    await bed.edit(rule.id, { scope: { hosts: ['other-*'] } });
    await another();
    expect(await statusesOf(rule.id)).toMatchObject({ active: 35 });
    await bed.begin();
    await another();
    expect(await statusesOf(rule.id)).toMatchObject({ active: 25 });
    await bed.publish([requestOf(['another'], { load: 1 })], { fail: true });
    await another();
    // An edit of another rule changes nothing of the order.
    await bed.rule();
    await another();
    expect(await statusesOf(rule.id)).toMatchObject({ active: 5 });
    await another();
    expect(await statusesOf(rule.id)).toEqual({ active: 0, resolutions: ['rule_changed'] });
    expect(await bed.store.sql`select 1 from rule_states where rule_id = ${rule.id}`).toHaveLength(0);
  });

  test('takes the terms of an edited rule in parts', async () => {
    const rule = await bed.rule({ threshold: 90 });
    const hosts = hostsOf('terms', 25);
    await bed.publish([requestOf(hosts, { [rule.metric]: 95 })]);
    await bed.edit(rule.id, { threshold: 80 });
    bed.now += 60_000;
    expect(await bed.publish([requestOf(hosts, { [rule.metric]: 95 })])).toBe(3);
    const alerts = await bed.alerts(rule.id);
    expect(alerts.map(({ status, threshold }) => [status, threshold])).toEqual(
      Array(25).fill(['active', 80]),
    );
  });

  test('begins anew on the metric that its rule is changed to before all of the former has ended', async () => {
    const rule = await bed.rule();
    const hosts = hostsOf('moved', 25);
    await bed.publish([requestOf(hosts, { [rule.metric]: 95 })]);
    const metric = `${rule.metric}_new`;
    await bed.edit(rule.id, { metric });
    bed.now += 60_000;
    await bed.publish([requestOf(hosts, { [metric]: 96 })]);
    const alerts = await bed.alerts(rule.id);
    const active = alerts.filter(({ status }) => status === 'active');
    expect(active.map((alert) => alert.metric)).toEqual(Array(25).fill(metric));
    expect(alerts.filter(({ resolution }) => resolution === 'rule_changed')).toHaveLength(25);
    expect(await bed.store.sql`select 1 from rule_states where rule_id = ${rule.id}`).toHaveLength(25);
    await bed.begin();
    bed.now += 60_000;
    await bed.publish([requestOf(hosts, { [metric]: 1 })]);
    expect(await statusesOf(rule.id)).toMatchObject({ active: 0 });
  });

  test('of one host ends in parts where the host is deleted, over a rollback and a restart too', async () => {
    const [{ metric }] = [await bed.rule()];
    for (let i = 1; i < 45; i += 1) await bed.rule({ metric });
    await bed.publish([requestOf(['deleted-host'], { [metric]: 95 })]);
    const active = async () =>
      (await bed.store.sql`select 1 from alerts where metric = ${metric} and status = 'active'`).length;
    await bed.deleteService('deleted-host');
    await another();
    expect(await active()).toBe(35);
    await bed.publish([requestOf(['another'], { load: 1 })], { fail: true });
    await another();
    expect(await active()).toBe(25);
    await bed.begin();
    for (let i = 0; i < 3; i += 1) await another();
    expect(await active()).toBe(0);
    const resolutions = await bed.store.sql`select distinct resolution from alerts where metric = ${metric}`;
    expect(resolutions).toEqual([{ resolution: 'service_deleted' }]);
  });

  test('of one host ends in parts where the host is archived, over a restart, and begins anew once it is back', async () => {
    const scope = { hosts: ['archived-host'] };
    const [{ metric }] = [await bed.rule({ scope })];
    for (let i = 1; i < 25; i += 1) await bed.rule({ metric, scope });
    await bed.send('archived-host', metric, [[0, 95]], { tags: { ephemeral: 'true' } });
    const count = async (status: string) =>
      (await bed.store.sql`select 1 from alerts where metric = ${metric} and status = ${status}`).length;
    await bed.beat(280);
    bed.now += 86_400_000;
    const isArchived = async () => (await bed.service('archived-host'))?.['archived_at'] !== null;
    for (let i = 0; i < 300 && !(await isArchived()); i += 1) await bed.beat(1);
    expect(await count('active')).toBe(15);
    await bed.begin();
    await another();
    expect(await count('active')).toBe(5);
    await bed.send('archived-host', metric, [[0, 95]]);
    expect([await count('active'), await count('resolved')]).toEqual([25, 25]);
    const resolutions = await bed.store
      .sql`select distinct resolution from alerts where metric = ${metric} and status = 'resolved'`;
    expect(resolutions).toEqual([{ resolution: 'service_archived' }]);
  });

  test('begins nothing beyond the limit of alert instances, and goes on once others have ended', async () => {
    const rule = await bed.rule();
    const [{ count }] = await bed.store.sql<[{ count: number }]>`select count(*)::integer from rule_states`;
    bed.alertInstancesLimit = count + 20;
    await bed.begin();
    const hosts = hostsOf('limited', 25);
    await bed.publish([requestOf(hosts, { [rule.metric]: 95 })]);
    const active = async () => (await bed.alerts(rule.id)).filter(({ status }) => status === 'active').length;
    expect(await active()).toBe(20);
    bed.now += 60_000;
    await bed.publish([requestOf(hosts.slice(0, 10), { [rule.metric]: 1 })]);
    await bed.publish([requestOf(hosts.slice(10), { [rule.metric]: 95 })]);
    expect(await active()).toBe(15);
    bed.alertInstancesLimit = undefined;
  });

  test.each([
    ['that ended before it', 0],
    ['of backfilled samples that ended before it', 26 * 3_600_000],
  ])('doubles no alert %s, where a partition is taken over that was left in part', async (_, age) => {
    const quick = await bed.rule();
    const rule = await bed.rule();
    const at = bed.now - age;
    const host = `brief-${age}`;
    await bed.takeOver({ writer: 0, evaluator: 0 });
    const records = [requestOf([host], { [quick.metric]: 95 }, age)];
    bed.now += 60_000;
    const end = bed.now - age;
    records.push(requestOf([host], { [quick.metric]: 1 }, age));
    records.push(requestOf(hostsOf(`retaken-${age}`, 35), { [rule.metric]: 95 }));
    await bed.publish(records, { store: false, parts: 1 });
    expect(await bed.alerts(quick.id)).toMatchObject([{ fired_at: at, resolved_at: end }]);
    await bed.takeOver({ writer: 0, evaluator: 0 });
    await bed.publish(records, { store: false });
    expect(await bed.alerts(quick.id)).toMatchObject([{ fired_at: at, resolved_at: end }]);
    expect(await bed.alerts(rule.id)).toHaveLength(35);
    await bed.begin();
  });

  test('takes no host for silent whose payloads wait for their turn', async () => {
    const rule = await bed.rule();
    const hosts = hostsOf('waiting', 35);
    await bed.publish([requestOf(hosts, { [rule.metric]: 1 })]);
    const beats = (count: number): SampleRecord[] =>
      Array.from({ length: count }, () => {
        bed.now += 1_000;
        return { kind: 'heartbeat', at: bed.now };
      });
    const before = beats(120);
    const storm = requestOf(hosts, { [rule.metric]: 95 });
    await bed.publish([...before, storm, ...beats(120)]);
    expect(await bed.alerts(rule.id)).toHaveLength(35);
    const offline = (await bed.events()).filter((event) => /waiting-.*offline/.test(JSON.stringify(event)));
    expect(offline).toEqual([]);
  });

  test('misses no data of payloads that wait for their turn', async () => {
    const awaited = await bed.rule({ no_data: { policy: 'alert', after_minutes: 2 } });
    const rule = await bed.rule();
    const hosts = hostsOf('awaited', 35);
    await bed.publish([requestOf(hosts, { [awaited.metric]: 1, [rule.metric]: 1 })]);
    const beats = (count: number): SampleRecord[] =>
      Array.from({ length: count }, () => {
        bed.now += 1_000;
        return { kind: 'heartbeat', at: bed.now };
      });
    const before = beats(100);
    const storm = requestOf(hosts, { [awaited.metric]: 1, [rule.metric]: 95 });
    await bed.publish([...before, storm, ...beats(100)]);
    expect(await bed.alerts(rule.id)).toHaveLength(35);
    expect(await bed.alerts(awaited.id)).toEqual([]);
  });

  test('holds the same gap against each rule of a sample that is taken in parts', async () => {
    bed.alertsAtOnce = 1;
    await bed.begin();
    const first = await bed.rule({ duration_minutes: 3 });
    const second = await bed.rule({ duration_minutes: 3, metric: first.metric });
    for (const minutes of [0, 15, 15]) {
      bed.now += minutes * 60_000;
      await bed.publish([requestOf(['gap'], { [first.metric]: 95 })]);
    }
    const counts = await Promise.all([first, second].map(async ({ id }) => (await bed.alerts(id)).length));
    expect(counts).toEqual([0, 0]);
  });
});
