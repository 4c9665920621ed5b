import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, test } from 'vitest';
import { EvaluatorHarness } from './testing/evaluator.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());
beforeEach(async () => {
  harness.alertsAtOnce = 10;
  await harness.begin();
});

const activeOf = async (ruleId: string) =>
  (await harness.alerts(ruleId)).filter(({ status }) => status === 'active').length;
const statusesOf = async (ruleId: string) => ({
  active: await activeOf(ruleId),
  resolutions: [...new Set((await harness.alerts(ruleId)).flatMap(({ resolution }) => resolution ?? []))],
});
const hostsOf = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${i}`);

describe('a storm of alerts', () => {
  test('fires in several transactions, each alert once and at the time of its sample', async () => {
    const rule = await harness.rule();
    const count = await harness.publish([harness.requestOf(hostsOf('storm', 35), { [rule.metric]: 95 })]);
    expect(count).toBe(4);
    const alerts = await harness.alerts(rule.id);
    expect(alerts.map(({ fired_at }) => fired_at)).toEqual(Array(35).fill(harness.now));
    expect(new Set(alerts.map(({ host }) => host)).size).toBe(35);
  });

  test('resolves in several transactions', async () => {
    const rule = await harness.rule();
    await harness.publish([harness.requestOf(hostsOf('ending', 35), { [rule.metric]: 95 })]);
    harness.now += 60_000;
    const count = await harness.publish([harness.requestOf(hostsOf('ending', 35), { [rule.metric]: 1 })]);
    expect(count).toBe(4);
    const alerts = await harness.alerts(rule.id);
    expect(alerts.map(({ resolved_at }) => resolved_at)).toEqual(Array(35).fill(harness.now));
  });

  test('of one sample and many rules fires in several transactions, and every rule evaluates the sample', async () => {
    const [{ metric }] = [await harness.rule()];
    for (let i = 1; i < 25; i += 1) await harness.rule({ metric });
    const count = await harness.publish([harness.requestOf(['one'], { [metric]: 95 })]);
    expect(count).toBe(3);
    const alerts = await harness.store.sql`select 1 from alerts where metric = ${metric}`;
    expect(alerts).toHaveLength(25);
  });

  test('continues after a restart when the request is delivered again', async () => {
    const rule = await harness.rule();
    const storm = harness.requestOf(hostsOf('restart', 35), { [rule.metric]: 95 });
    const delivery = {
      topic: 't',
      partition: 0,
      offset: 0n,
      key: '',
      value: storm,
      publishedAt: harness.now,
    };
    await harness.store.transact((tx) => harness.evaluator.consumer.handle([delivery], tx));
    harness.evaluator.consumer.committed?.();
    expect(await harness.alerts(rule.id)).toHaveLength(10);
    await harness.begin();
    await harness.publish([storm]);
    expect(await harness.alerts(rule.id)).toHaveLength(35);
  });

  test('of many containers that disappear at once ends in several transactions', async () => {
    const rule = await harness.rule({ metric: 'container.cpu_percent' });
    const containers = hostsOf('c', 25).map((name) => ({ name, cpu_percent: 95 }));
    const request = (members: typeof containers) => {
      const record = harness.requestOf(['with-containers'], { load: 1 });
      if (record.kind === 'samples') for (const payload of record.payloads) payload.containers = members;
      return record;
    };
    expect(await harness.publish([request(containers)])).toBe(3);
    expect(await activeOf(rule.id)).toBe(25);
    for (let i = 0; i < 2; i += 1) {
      harness.now += 60_000;
      await harness.publish([request([])]);
      expect(await activeOf(rule.id)).toBe(25);
    }
    harness.now += 60_000;
    expect(await harness.publish([request([])])).toBe(3);
    expect(await activeOf(rule.id)).toBe(0);
  });

  test('ends in several transactions when its rule is deleted, over a restart too', async () => {
    const rule = await harness.rule();
    await harness.publish([harness.requestOf(hostsOf('deleted', 35), { [rule.metric]: 95 })]);
    await harness.deleteRule(rule.id);
    await harness.publish([harness.requestOf(['another'], { load: 1 })]);
    expect(await activeOf(rule.id)).toBe(25);
    await harness.begin();
    await harness.publish([harness.requestOf(['another'], { load: 1 })]);
    expect(await activeOf(rule.id)).toBe(15);
    await harness.publish([harness.requestOf(['another'], { load: 1 })], { fail: true });
    for (let i = 0; i < 2; i += 1) await harness.publish([harness.requestOf(['another'], { load: 1 })]);
    expect(await activeOf(rule.id)).toBe(0);
    const alerts = await harness.alerts(rule.id);
    expect(new Set(alerts.map(({ resolution }) => resolution))).toEqual(new Set(['rule_deleted']));
    expect(await harness.store.sql`select 1 from rule_states where rule_id = ${rule.id}`).toHaveLength(0);
  });

  test('fires again when its rule is disabled and enabled before all of its alerts have ended', async () => {
    const rule = await harness.rule();
    const hosts = hostsOf('back', 25);
    await harness.publish([harness.requestOf(hosts, { [rule.metric]: 95 })]);
    await harness.edit(rule.id, { enabled: false });
    await harness.publish([harness.requestOf(['another'], { load: 1 })]);
    await harness.edit(rule.id, { enabled: true });
    harness.now += 60_000;
    await harness.publish([harness.requestOf(hosts, { [rule.metric]: 95 })]);
    const statuses = (await harness.alerts(rule.id)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 'resolved')).toHaveLength(25);
    expect(statuses.filter((status) => status === 'active')).toHaveLength(25);
    expect(await harness.store.sql`select 1 from rule_states where rule_id = ${rule.id}`).toHaveLength(25);
  });

  const another = () => harness.publish([harness.requestOf(['another'], { load: 1 })]);

  test('ends in several transactions when its rule is edited, over a restart and a rollback too', async () => {
    const rule = await harness.rule();
    await harness.publish([harness.requestOf(hostsOf('edited', 45), { [rule.metric]: 95 })]);
    await harness.edit(rule.id, { scope: { hosts: ['other-*'] } });
    await another();
    expect(await statusesOf(rule.id)).toMatchObject({ active: 35 });
    await harness.begin();
    await another();
    expect(await statusesOf(rule.id)).toMatchObject({ active: 25 });
    await harness.publish([harness.requestOf(['another'], { load: 1 })], { fail: true });
    await another();
    // Edits another rule, which must not change the order.
    await harness.rule();
    await another();
    expect(await statusesOf(rule.id)).toMatchObject({ active: 5 });
    await another();
    expect(await statusesOf(rule.id)).toEqual({ active: 0, resolutions: ['rule_changed'] });
    expect(await harness.store.sql`select 1 from rule_states where rule_id = ${rule.id}`).toHaveLength(0);
  });

  test('gets the new thresholds of an edited rule in several transactions', async () => {
    const rule = await harness.rule({ threshold: 90 });
    const hosts = hostsOf('terms', 25);
    await harness.publish([harness.requestOf(hosts, { [rule.metric]: 95 })]);
    await harness.edit(rule.id, { threshold: 80 });
    harness.now += 60_000;
    expect(await harness.publish([harness.requestOf(hosts, { [rule.metric]: 95 })])).toBe(3);
    const alerts = await harness.alerts(rule.id);
    expect(alerts.map(({ status, threshold }) => [status, threshold])).toEqual(
      Array(25).fill(['active', 80]),
    );
  });

  test('fires again on the new metric of its rule before all alerts on the old metric have ended', async () => {
    const rule = await harness.rule();
    const hosts = hostsOf('moved', 25);
    await harness.publish([harness.requestOf(hosts, { [rule.metric]: 95 })]);
    const metric = `${rule.metric}_new`;
    await harness.edit(rule.id, { metric });
    harness.now += 60_000;
    await harness.publish([harness.requestOf(hosts, { [metric]: 96 })]);
    const alerts = await harness.alerts(rule.id);
    const active = alerts.filter(({ status }) => status === 'active');
    expect(active.map((alert) => alert.metric)).toEqual(Array(25).fill(metric));
    expect(alerts.filter(({ resolution }) => resolution === 'rule_changed')).toHaveLength(25);
    expect(await harness.store.sql`select 1 from rule_states where rule_id = ${rule.id}`).toHaveLength(25);
    await harness.begin();
    harness.now += 60_000;
    await harness.publish([harness.requestOf(hosts, { [metric]: 1 })]);
    expect(await statusesOf(rule.id)).toMatchObject({ active: 0 });
  });

  test('of one host ends in several transactions when the host is deleted, over a rollback and a restart too', async () => {
    const [{ metric }] = [await harness.rule()];
    for (let i = 1; i < 45; i += 1) await harness.rule({ metric });
    await harness.publish([harness.requestOf(['deleted-host'], { [metric]: 95 })]);
    const active = async () =>
      (await harness.store.sql`select 1 from alerts where metric = ${metric} and status = 'active'`).length;
    await harness.deleteService('deleted-host');
    await another();
    expect(await active()).toBe(35);
    await harness.publish([harness.requestOf(['another'], { load: 1 })], { fail: true });
    await another();
    expect(await active()).toBe(25);
    await harness.begin();
    for (let i = 0; i < 3; i += 1) await another();
    expect(await active()).toBe(0);
    const resolutions = await harness.store
      .sql`select distinct resolution from alerts where metric = ${metric}`;
    expect(resolutions).toEqual([{ resolution: 'service_deleted' }]);
  });

  test('of one host ends in several transactions when the host is archived, over a restart, and fires again once the host is back', async () => {
    const scope = { hosts: ['archived-host'] };
    const [{ metric }] = [await harness.rule({ scope })];
    for (let i = 1; i < 25; i += 1) await harness.rule({ metric, scope });
    await harness.send('archived-host', metric, [[0, 95]], { tags: { ephemeral: 'true' } });
    const count = async (status: string) =>
      (await harness.store.sql`select 1 from alerts where metric = ${metric} and status = ${status}`).length;
    await harness.beat(280);
    harness.now += 86_400_000;
    const isArchived = async () => (await harness.service('archived-host'))?.['archived_at'] !== null;
    for (let i = 0; i < 300 && !(await isArchived()); i += 1) await harness.beat(1);
    expect(await count('active')).toBe(15);
    await harness.begin();
    await another();
    expect(await count('active')).toBe(5);
    await harness.send('archived-host', metric, [[0, 95]]);
    expect([await count('active'), await count('resolved')]).toEqual([25, 25]);
    const resolutions = await harness.store
      .sql`select distinct resolution from alerts where metric = ${metric} and status = 'resolved'`;
    expect(resolutions).toEqual([{ resolution: 'service_archived' }]);
  });

  test('begins no alert instance beyond the limit, and continues once others have ended', async () => {
    const rule = await harness.rule();
    const [{ count }] = await harness.store.sql<
      [{ count: number }]
    >`select count(*)::integer from rule_states`;
    harness.alertInstancesLimit = count + 20;
    await harness.begin();
    const hosts = hostsOf('limited', 25);
    await harness.publish([harness.requestOf(hosts, { [rule.metric]: 95 })]);
    expect(await activeOf(rule.id)).toBe(20);
    harness.now += 60_000;
    await harness.publish([harness.requestOf(hosts.slice(0, 10), { [rule.metric]: 1 })]);
    await harness.publish([harness.requestOf(hosts.slice(10), { [rule.metric]: 95 })]);
    expect(await activeOf(rule.id)).toBe(15);
    harness.alertInstancesLimit = undefined;
  });

  test.each([
    ['that ended before the take-over', 0],
    ['of backfilled samples that ended before the take-over', 26 * 3_600_000],
  ])('fires no alert twice %s when a partition is taken over in the middle of the storm', async (_, age) => {
    const quick = await harness.rule();
    const rule = await harness.rule();
    const at = harness.now - age;
    const host = `brief-${age}`;
    await harness.takeOver({ writer: 0, evaluator: 0 });
    const records = [harness.requestOf([host], { [quick.metric]: 95 }, harness.now - age)];
    harness.now += 60_000;
    const end = harness.now - age;
    records.push(harness.requestOf([host], { [quick.metric]: 1 }, harness.now - age));
    records.push(harness.requestOf(hostsOf(`retaken-${age}`, 35), { [rule.metric]: 95 }));
    await harness.publish(records, { store: false, parts: 1 });
    expect(await harness.alerts(quick.id)).toMatchObject([{ fired_at: at, resolved_at: end }]);
    await harness.takeOver({ writer: 0, evaluator: 0 });
    await harness.publish(records, { store: false });
    expect(await harness.alerts(quick.id)).toMatchObject([{ fired_at: at, resolved_at: end }]);
    expect(await harness.alerts(rule.id)).toHaveLength(35);
    await harness.begin();
  });

  test('does not turn a host offline whose payloads wait for their turn', async () => {
    const rule = await harness.rule();
    const hosts = hostsOf('waiting', 35);
    await harness.publish([harness.requestOf(hosts, { [rule.metric]: 1 })]);
    const before = harness.beats(120);
    const storm = harness.requestOf(hosts, { [rule.metric]: 95 });
    await harness.publish([...before, storm, ...harness.beats(120)]);
    expect(await harness.alerts(rule.id)).toHaveLength(35);
    const offline = (await harness.events()).filter((event) =>
      /waiting-.*offline/.test(JSON.stringify(event)),
    );
    expect(offline).toEqual([]);
  });

  test('fires no missing-data alert for payloads that wait for their turn', async () => {
    const awaited = await harness.rule({ no_data: { policy: 'alert', after_minutes: 2 } });
    const rule = await harness.rule();
    const hosts = hostsOf('awaited', 35);
    await harness.publish([harness.requestOf(hosts, { [awaited.metric]: 1, [rule.metric]: 1 })]);
    const before = harness.beats(100);
    const storm = harness.requestOf(hosts, { [awaited.metric]: 1, [rule.metric]: 95 });
    await harness.publish([...before, storm, ...harness.beats(100)]);
    expect(await harness.alerts(rule.id)).toHaveLength(35);
    expect(await harness.alerts(awaited.id)).toEqual([]);
  });

  test('uses the same gap between samples for each rule when the rules of a sample are evaluated in several transactions', async () => {
    harness.alertsAtOnce = 1;
    await harness.begin();
    const first = await harness.rule({ duration_minutes: 3 });
    const second = await harness.rule({ duration_minutes: 3, metric: first.metric });
    for (const minutes of [0, 15, 15]) {
      harness.now += minutes * 60_000;
      await harness.publish([harness.requestOf(['gap'], { [first.metric]: 95 })]);
    }
    const counts = await Promise.all(
      [first, second].map(async ({ id }) => (await harness.alerts(id)).length),
    );
    expect(counts).toEqual([0, 0]);
  });
});
