import { setTimeout as sleep } from 'node:timers/promises';
import { openForFile } from '@tidewatch/harness/opened';
import { beforeEach, expect, test } from 'vitest';
import { InvestigatorHarness, ORGANIZATION } from './investigator.harness.ts';
import { evidence, finding, verdictOf } from './testing/verdict.ts';

const harness = await openForFile(InvestigatorHarness.open());
beforeEach(() => harness.reset());

const only = async () => (await harness.investigations())[0];
/** Makes the analysis wait until it is released or aborted. */
function holdAnalysis() {
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  harness.analysis = async (_listener, signal) => {
    await Promise.race([
      released,
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    ]);
    return verdictOf([finding()]);
  };
  return { release };
}

test('a run stores findings and evidence, and emits its events in the same transactions', async () => {
  const cpu = evidence({
    points: [
      { t: 'a', value: 1 },
      { t: 'b', value: 2 },
    ],
    stats: { median: 2 },
  });
  harness.analysis = async (listener) => {
    listener.found('test', [finding()]);
    return verdictOf([
      finding({ evidence: [evidence({ stats: { mad: 1 } })] }),
      finding({
        title: 'cpu rose',
        kind: 'metric_shift',
        score: 0.4,
        evidence: [cpu, evidence({ ref: 'other' })],
      }),
    ]);
  };
  const { id, event } = await harness.fired(await harness.service('web-01'));
  harness.investigator.start();
  await harness.publish([event]);
  await expect.poll(() => harness.statuses()).toEqual(['completed']);
  const whole = await only();
  expect(whole).toMatchObject({ conclusion: 'root_cause_found', attempts: 1, failure: null, alerts: [id] });
  expect(whole?.analysis).toMatchObject({
    root_cause: '"job" appeared',
    root_cause_finding_id: whole?.findings[0]?.id,
    model_status: 'not_configured',
  });
  const kept = await harness.admin.sql<{ id: string; ref: string; stats: object; points: object[] }[]>`
    select id, ref, stats, points from investigation_evidence order by ref`;
  expect(kept).toMatchObject([
    { ref: 'host:web-01/cpu_percent', stats: { median: 2, mad: 1 }, points: cpu.points },
    { ref: 'other' },
  ]);
  expect(whole?.findings.map(({ evidence_ids: ids }) => ids)).toEqual([
    [kept[0]?.id],
    kept.map((piece) => piece.id),
  ]);
  expect(whole?.timeline.map(({ type }) => type)).toEqual(['pending', 'fired']);
  expect(await harness.emitted()).toEqual(['started', 'progressed', 'completed']);
});

test('the worker runs critical investigations first, and the others in the order of their creation', async () => {
  for (const [host, severity] of [
    ['web-01', 'warning'],
    ['web-02', 'warning'],
    ['web-03', 'critical'],
  ] as const) {
    await harness.publish([(await harness.fired(await harness.service(host), { severity })).event]);
    harness.now += 1_000;
  }
  harness.investigator.start();
  await expect.poll(() => harness.statuses()).toEqual(['completed', 'completed', 'completed']);
  const rows = await harness.admin.sql<{ id: string; host: string }[]>`select id, host from services`;
  const hosts = new Map(rows.map(({ id, host }) => [id, host]));
  expect(harness.analysed.map((service) => hosts.get(service))).toEqual(['web-03', 'web-01', 'web-02']);
});

test('cancelling an investigation aborts its run, which writes nothing afterwards', async () => {
  holdAnalysis();
  await harness.fire(await harness.service('web-01'));
  harness.investigator.start();
  await expect.poll(() => harness.analysed.length).toBe(1);
  await harness.admin.sql`
    update investigations set status = 'cancelled', claimed_by = null, claimed_until = null, completed_at = now()`;
  const outcomes = harness.metrics.registry.getSingleMetric('tidewatch_investigations_total');
  await expect
    .poll(async () => (await outcomes?.get())?.values)
    .toMatchObject([{ labels: { outcome: 'lost' } }]);
  expect(await only()).toMatchObject({ status: 'cancelled', conclusion: null, findings: [] });
  expect(await harness.emitted()).toEqual(['started']);
});

test('exactly one worker takes over the investigation of a dead process once the claim has expired', async () => {
  await harness.fire(await harness.service('web-01'));
  await harness.admin.sql`
    update investigations set status = 'running', claimed_by = 'dead', attempts = 1,
      claimed_until = clock_timestamp() + interval '400 milliseconds'`;
  const others = [harness.investigator, harness.another(), harness.another()];
  for (const each of others) each.start();
  await sleep(100);
  expect(harness.analysed).toHaveLength(0);
  await expect.poll(() => harness.statuses()).toEqual(['completed']);
  expect(harness.analysed).toHaveLength(1);
  expect(await only()).toMatchObject({ attempts: 2 });
});

test('the worker renews the claim of an investigation during a long run', async () => {
  const { release } = holdAnalysis();
  await harness.fire(await harness.service('web-01'));
  harness.investigator.start();
  harness.another().start();
  await expect.poll(() => harness.analysed.length).toBe(1);
  await sleep(1_200);
  expect(harness.analysed).toHaveLength(1);
  release();
  await expect.poll(() => harness.statuses()).toEqual(['completed']);
});

test('the worker retries a failed run twice, and then the investigation has failed', async () => {
  harness.analysis = async () => {
    throw new Error('the database is down');
  };
  await harness.fire(await harness.service('web-01'));
  harness.investigator.start();
  for (const attempts of [1, 2]) {
    await expect.poll(async () => (await only())?.attempts).toBe(attempts);
    await expect
      .poll(() => harness.admin.sql`select from investigations where claimed_by is null`)
      .toHaveLength(1);
    await harness.admin.sql`update investigations set claimed_until = clock_timestamp()`;
  }
  await expect.poll(() => harness.statuses()).toEqual(['failed']);
  expect(await only()).toMatchObject({
    attempts: 3,
    failure: 'the data could not be read, or the findings could not be stored',
  });
  expect(await harness.emitted()).toEqual(['started', 'failed']);
});

test('an investigation has failed when three runs were started and none completed', async () => {
  await harness.fire(await harness.service('web-01'));
  await harness.admin.sql`
    update investigations set status = 'running', claimed_by = 'dead', attempts = 3, claimed_until = clock_timestamp()`;
  harness.investigator.start();
  await expect.poll(() => harness.statuses()).toEqual(['failed']);
  expect(harness.analysed).toEqual([]);
  expect((await only())?.failure).toBe('it was started 3 times and no run completed');
});

test('an investigation has failed when its run exceeds the time limit', async () => {
  holdAnalysis();
  const impatient = harness.another({ statisticsTimeoutMs: 100 });
  await harness.fire(await harness.service('web-01'), impatient);
  impatient.start();
  await expect.poll(() => harness.statuses()).toEqual(['failed']);
  expect((await only())?.failure).toBe('it exceeded its time limit');
});

test('a worker that stops releases its run immediately, and the attempt does not count', async () => {
  holdAnalysis();
  await harness.fire(await harness.service('web-01'));
  harness.investigator.start();
  await expect.poll(() => harness.analysed.length).toBe(1);
  await harness.investigator.stop();
  harness.analysis = async () => verdictOf([]);
  harness.another({ leaseMs: 60_000 }).start();
  await expect.poll(() => harness.statuses()).toEqual(['completed']);
  expect(await only()).toMatchObject({ attempts: 1, conclusion: 'inconclusive' });
});

test('the investigation of a deleted service fails', async () => {
  harness.analysis = async () => null;
  await harness.fire(await harness.service('web-01'));
  harness.investigator.start();
  await expect.poll(() => harness.statuses()).toEqual(['failed']);
  expect((await only())?.failure).toBe('the service was deleted');
});

test('a run stores the findings of the statistics before it calls the model', async () => {
  const seen: unknown[] = [];
  const explaining = harness.another({
    explainer: async ({ statistics, case: explained }, { organizationId, reader, signal }) => {
      seen.push(
        (await only())?.analysis,
        organizationId,
        explained.findings.map(({ title }) => title),
      );
      seen.push(await reader.alerts({ host: 'web-01', from: harness.now - 1, to: harness.now + 1 }, signal));
      const piece = {
        id: 'evd_1',
        ref: 'asked',
        query: 'q',
        from: explained.from,
        to: explained.to,
        stats: {},
        points: [],
      };
      return {
        analysis: { ...statistics, source: 'llm', model: 'm', model_status: 'used' },
        timeline: [],
        evidence: [piece],
        checkedAnswer: null,
        usage: { model_calls: 1, tool_calls: 1, input_tokens: 2, output_tokens: 3, seconds: 0.1 },
      };
    },
  });
  await harness.fire(await harness.service('web-01'), explaining);
  explaining.start();
  await expect.poll(() => harness.statuses()).toEqual(['completed']);
  expect(seen).toMatchObject([
    { root_cause: '"job" appeared', model_status: 'skipped' },
    ORGANIZATION,
    ['"job" appeared'],
    { stats: { alerts: 1 }, points: [{ rule: 'busy' }] },
  ]);
  expect((await only())?.analysis).toMatchObject({ model_status: 'used', model: 'm' });
  expect(await harness.admin.sql`select from investigation_evidence where ref = 'asked'`).toHaveLength(1);
});

test('a requested investigation of an alert has the window that was asked for', async () => {
  const service = await harness.service('web-01');
  const { id } = await harness.fired(service);
  const [from, to] = [harness.now - 7_200_000, harness.now - 1_800_000];
  await harness.admin.sql`
    insert into investigations (organization_id, id, created_at, trigger, alert_id, service_id, host, metric, severity, title,
      window_from, window_to, updated_at)
    values (${ORGANIZATION}, 'inv_asked', ${harness.now}, 'request', ${id}, ${service.id}, 'web-01', 'cpu_percent', 'critical',
      'web-01 is busy.', ${from}, ${to}, ${harness.now})`;
  await harness.admin.sql`
    insert into investigation_alerts (organization_id, investigation_id, alert_id) values (${ORGANIZATION}, 'inv_asked', ${id})`;
  harness.investigator.start();
  await expect.poll(() => harness.statuses()).toEqual(['completed']);
  expect(await only()).toMatchObject({ window_from: from, window_to: to, history_at: null, alerts: [id] });
});
