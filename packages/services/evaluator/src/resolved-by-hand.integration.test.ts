import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { openForFile } from '@tidewatch/harness/opened';
import { countAlerts } from '@tidewatch/store/alerts/count';
import { readEvidence } from '@tidewatch/store/alerts/transitions';
import { describe, expect, test } from 'vitest';
import { EvaluatorHarness, ORGANIZATION } from './testing/evaluator.harness.ts';
import { SilencesHarness } from './testing/silences.harness.ts';

const harness = await openForFile(EvaluatorHarness.open());
const people = new SilencesHarness(harness);

const BREACH = 95;
const CLEAR = 5;

/** Returns the stored alerts of a rule, the number of its states, and its counts. */
async function stored(rule: { id: string }) {
  const alerts = await harness.alerts(rule.id);
  const states = await harness.store.sql`select alert_id from rule_states where rule_id = ${rule.id}`;
  const [activity] = await harness.store.sql`select * from rule_activity where rule_id = ${rule.id}`;
  return {
    alerts: alerts.map(({ status, resolution }) => resolution ?? status),
    states: states.map(({ alert_id: id }) => alerts.findIndex((alert) => alert.id === id)),
    firing: activity?.firing_count,
    pending: activity?.pending_count,
    waiting: (await harness.store.sql`select from resolved_by_hand`).length,
  };
}

const newest = async (rule: { id: string }) => (await harness.alerts(rule.id)).at(-1)?.id as string;

async function firing(fields = {}) {
  const { host, rule } = await harness.hostAndRule({ severity: 'critical', ...fields });
  await harness.send(host, rule.metric, [[-10, BREACH]]);
  return { host, rule, id: await newest(rule) };
}

describe('an alert that was resolved by hand', () => {
  test('is dropped from memory though no sample arrives', async () => {
    const { host, rule, id } = await firing();
    await people.resolve(id);
    await harness.settled();
    expect(await stored(rule)).toEqual({ alerts: ['manual'], states: [], firing: 0, pending: 0, waiting: 0 });
    expect(await harness.service(host)).toMatchObject({
      status: 'healthy',
      active_critical: 0,
      status_reasons: [],
    });
    expect(await harness.typesOf(id)).toEqual(['alert.fired', 'alert.resolved']);
  });

  test.each(['at once', 'after a restart', 'after a rollback'])(
    'lets the next breach fire a new alert: %s',
    async (how) => {
      const { host, rule, id } = await firing();
      await people.resolve(id);
      if (how === 'after a restart') await harness.begin();
      if (how === 'after a rollback')
        await harness.send(host, rule.metric, [[-9, BREACH]], {}, { fail: true });
      await harness.send(host, rule.metric, [[-8, BREACH]]);
      expect(await stored(rule)).toEqual({
        alerts: ['manual', 'active'],
        states: [1],
        firing: 1,
        pending: 0,
        waiting: 0,
      });
      expect(await harness.service(host)).toMatchObject({ status: 'critical', active_critical: 1 });
      expect(await harness.typesOf(await newest(rule))).toEqual(['alert.fired']);
    },
  );

  test('lets a new alert fire only after the rule’s duration', async () => {
    const { host, rule } = await harness.hostAndRule({ duration_minutes: 2 });
    await harness.send(host, rule.metric, [
      [-20, BREACH],
      [-18, BREACH],
    ]);
    await people.resolve(await newest(rule));
    await harness.send(host, rule.metric, [[-17, BREACH]]);
    expect(await stored(rule)).toEqual({
      alerts: ['manual'],
      states: [-1],
      firing: 0,
      pending: 1,
      waiting: 0,
    });
    await harness.send(host, rule.metric, [[-15, BREACH]]);
    expect((await stored(rule)).alerts).toEqual(['manual', 'active']);
  });

  test('of a container lets a new alert fire for that container only', async () => {
    const { host, rule } = await harness.hostAndRule({ metric: 'container.cpu_percent' });
    const containers = ['api', 'db'].map((name) => ({ name, cpu_percent: BREACH }));
    await harness.send(host, 'other', [[-10, 1]], { containers });
    const [first] = (await harness.alerts(rule.id)).filter((alert) => alert.subject_name === 'api');
    await people.resolve(first?.id as never);
    await harness.send(host, 'other', [[-9, 1]], { containers });
    const alerts = (await harness.alerts(rule.id)).map(
      (alert) => `${alert.subject_name} ${alert.resolution ?? alert.status}`,
    );
    expect(alerts.toSorted()).toEqual(['api active', 'api manual', 'db active']);
    expect(await stored(rule)).toMatchObject({ firing: 2, waiting: 0 });
  });

  test('has one resolving transition in its evidence, with the person who resolved it', async () => {
    const { host, rule, id } = await firing();
    await people.resolve(id);
    await harness.send(host, rule.metric, [[-9, CLEAR]]);
    const evidence = await readEvidence(harness.store.sql, ORGANIZATION, id);
    expect(evidence?.transitions.map(({ from, to, reason }) => [from, to, reason])).toEqual([
      ['inactive', 'firing', 'breach'],
      ['firing', 'resolved', 'manual'],
    ]);
    expect(evidence?.samples.map(({ role }) => role)).toEqual(['opened', 'fired']);
  });

  test('leaves the host’s other alerts unchanged', async () => {
    const { host, rule, id } = await firing();
    const other = await harness.rule({ severity: 'warning', metric: rule.metric });
    await harness.send(host, rule.metric, [[-9, BREACH]]);
    await people.resolve(id);
    await harness.settled();
    expect([(await stored(rule)).firing, (await stored(other)).firing]).toEqual([0, 1]);
    expect(await harness.service(host)).toMatchObject({
      status: 'degraded',
      active_critical: 0,
      active_warning: 1,
    });
  });

  test('is not written again when a value of it waits to be stored', async () => {
    const { host, rule, id } = await firing();
    await harness.send(host, rule.metric, [[-9, BREACH + 4]]);
    await people.resolve(id);
    const [before] = await harness.alerts(rule.id);
    harness.now += 1_000;
    await harness.settled();
    expect(await harness.alerts(rule.id)).toEqual([before]);
  });

  test('of a rule that was deleted at the same time is counted as resolved once', async () => {
    const { rule, id } = await firing();
    await people.resolve(id);
    await harness.deleteRule(rule.id);
    await harness.settled();
    expect(await stored(rule)).toEqual({ alerts: ['manual'], states: [], firing: 0, pending: 0, waiting: 0 });
  });

  test('of a service that was deleted at the same time is dropped from memory', async () => {
    const { host, rule, id } = await firing();
    await people.resolve(id);
    await harness.deleteService(host);
    await harness.settled();
    expect(await stored(rule)).toMatchObject({ alerts: ['manual'], states: [], waiting: 0 });
  });
});

describe('a sample that is evaluated while somebody resolves its alert', () => {
  /** Evaluates samples in a transaction that begins before a user resolves the alert and commits afterwards. */
  async function evaluateMeanwhile(host: string, metric: string, id: string, values: number[]) {
    const payloads = values.map((value, i) => ({
      host,
      time: harness.now - 300_000 + i,
      ...metricsOf({ [metric]: value }),
    }));
    const value = harness.request(payloads);
    const { consumer } = harness.evaluator;
    const delivery = {
      topic: 'tidewatch.samples',
      partition: 0,
      offset: 0n,
      key: '',
      value,
      publishedAt: harness.now,
    };
    await harness.store.transact(async (tx) => {
      // Makes the transaction read revisions before the alert is resolved.
      await harness.directory.watch(tx);
      await people.resolve(id);
      await consumer.handle([delivery], tx);
    });
    consumer.committed?.();
  }

  test.each<[string, number[], wanted: string[]]>([
    ['belongs to the old alert when it breaches', [BREACH], ['manual']],
    ['does not resolve the alert again when it is clear', [CLEAR], ['manual']],
    ['lets the next breach fire a new alert when it is clear', [CLEAR, BREACH], ['manual', 'active']],
  ])('%s', async (_, values, wanted) => {
    const { host, rule, id } = await firing();
    await evaluateMeanwhile(host, rule.metric, id, values);
    const active = wanted.filter((each) => each === 'active').length;
    expect((await stored(rule)).alerts).toEqual(wanted);
    await harness.settled();
    const evidence = await readEvidence(harness.store.sql, ORGANIZATION, id);
    expect(evidence?.transitions.map(({ to }) => to)).toEqual(['firing', 'resolved']);
    expect(await stored(rule)).toEqual({
      alerts: wanted,
      states: active === 1 ? [1] : [],
      firing: active,
      pending: 0,
      waiting: 0,
    });
    expect(await harness.typesOf(id)).toEqual(['alert.fired', 'alert.resolved']);
    await harness.send(host, rule.metric, [[-4, BREACH]]);
    const after = await stored(rule);
    expect([after.alerts, after.firing]).toEqual([['manual', 'active'], 1]);
  });

  test('and which resolves the alert first, leaves nothing to resolve by hand', async () => {
    const { rule, id } = await firing();
    const { acting } = await harness.store.transact(async (tx) => {
      await tx`update alerts set status = 'resolved', state = 'resolved', resolution = 'recovered',
        resolved_at = ${harness.now} where id = ${id}`;
      // Waits for the row lock of this transaction; wrapped in an object, since the transaction would await a promise.
      return { acting: people.resolve(id) };
    });
    expect(await acting).toMatchObject({ alert: { resolution: 'recovered' } });
    expect((await stored(rule)).waiting).toBe(0);
    expect(await harness.typesOf(id)).toEqual(['alert.fired']);
  });

  test('leaves at most one active alert and exact counts after any order of samples and resolutions', async () => {
    const { host, rule } = await harness.hostAndRule({ severity: 'critical' });
    await harness.evaluator.start();
    let sending = true;
    const resolving = (async () => {
      while (sending) {
        const active = (await harness.alerts(rule.id)).find(({ status }) => status === 'active');
        if (active) await people.resolve(active.id);
      }
    })();
    for (let i = 0; i < 120; i += 1)
      await harness.send(host, rule.metric, [[-5 + i / 60_000, i % 3 === 2 ? CLEAR : BREACH]]);
    sending = false;
    await resolving;
    await harness.evaluator.stop();
    await harness.settled();
    const alerts = await harness.alerts(rule.id);
    const active = alerts.filter(({ status }) => status === 'active');
    expect(active.length).toBeLessThanOrEqual(1);
    const found = await stored(rule);
    expect([found.firing, found.states.length, found.waiting]).toEqual([active.length, active.length, 0]);
    expect(await harness.service(host)).toMatchObject({ active_critical: active.length });
    expect(await countAlerts(harness.store.sql, ORGANIZATION, { ruleId: rule.id, status: 'active' })).toBe(
      active.length,
    );
    expect(await countAlerts(harness.store.sql, ORGANIZATION, { ruleId: rule.id })).toBe(alerts.length);
    for (const { id, status } of alerts) {
      const emitted = (await harness.typesOf(id)).filter((type) => type !== 'alert.flapping');
      expect(emitted).toEqual(status === 'active' ? ['alert.fired'] : ['alert.fired', 'alert.resolved']);
    }
    expect(alerts.some(({ resolution }) => resolution === 'manual')).toBe(true);
  });
});

test('an acknowledged alert is evaluated as before and keeps its acknowledgement when it resolves', async () => {
  const { host, rule, id } = await firing();
  await people.acknowledge(id);
  await harness.send(host, rule.metric, [[-9, CLEAR]]);
  expect((await harness.alerts(rule.id))[0]).toMatchObject({
    resolution: 'recovered',
    acknowledged_at: harness.now,
  });
  expect(await harness.typesOf(id)).toEqual(['alert.fired', 'alert.acknowledged', 'alert.resolved']);
});
