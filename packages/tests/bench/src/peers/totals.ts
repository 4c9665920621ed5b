import type { Ledger } from '../ledger/ledger.ts';
import { metricName, type Plan } from '../load/plan.ts';
import { openSequence } from '../load/sequence.ts';
import type { HttpClient } from './http-client.ts';
import { endOf } from './send.ts';

/** The number of samples of one metric, and the sum of their values. */
export interface MetricTotals {
  count: number;
  sum: number;
}

/** The time between two samples of a host in every job, seconds. */
const SAMPLE_STEP_SECONDS = 10;

/** Counts and sums a metric's samples from `startMs` to `endMs`, both included. */
export type CountMetric = (
  http: HttpClient,
  metric: string,
  startMs: number,
  endMs: number,
) => Promise<MetricTotals>;

/** The totals of the acknowledged samples by metric; a peer with other totals did not store the same samples. */
export function totalsOfLedger(plan: Plan, ledger: Ledger): Map<string, MetricTotals> {
  const hundredths = new Array<number>(plan.metrics).fill(0);
  let payloads = 0;
  for (let connection = 0; connection < plan.connections; connection += 1) {
    const sequence = openSequence(plan, connection);
    const acknowledged = ledger.acknowledged[connection] ?? 0;
    for (let position = 0; position < acknowledged; position += 1) {
      const { values } = sequence.next();
      for (let metric = 0; metric < values.length; metric += 1)
        hundredths[metric] = (hundredths[metric] as number) + (values[metric] as number);
    }
    payloads += acknowledged;
  }
  return new Map(hundredths.map((sum, index) => [metricName(index), { count: payloads, sum: sum / 100 }]));
}

/** Compares with a tolerance, because sums of doubles depend on the order of additions. */
export function sameTotals(a: MetricTotals, b: MetricTotals): boolean {
  return a.count === b.count && Math.abs(a.sum - b.sum) <= 1e-9 * Math.max(Math.abs(a.sum), Math.abs(b.sum));
}

/** Compares count and sum of every metric with what was acknowledged; returns the differences in words. */
export async function compareTotals(
  http: HttpClient,
  count: CountMetric,
  plan: Plan,
  ledger: Ledger,
): Promise<string[]> {
  const differences: string[] = [];
  for (const [metric, wanted] of totalsOfLedger(plan, ledger)) {
    const found = await count(http, metric, plan.startMs, endOf(plan));
    if (!sameTotals(found, wanted))
      differences.push(
        `${metric}: ${found.count} of ${wanted.count} samples, sum ${found.sum} of ${wanted.sum}`,
      );
  }
  return differences;
}

/**
 * Counts and sums the samples of a metric by PromQL, with one query for each hour, because queries may read a limited
 * number of samples. A range excludes its older end.
 */
export async function countPrometheus(
  http: HttpClient,
  metric: string,
  startMs: number,
  endMs: number,
): Promise<MetricTotals> {
  const hour = 3_600_000;
  const totals = { count: 0, sum: 0 };
  for (let from = startMs - 1; from < endMs; from += hour) {
    const to = Math.min(endMs, from + hour);
    const range = `${metric}[${to - from}ms]`;
    totals.count += await promql(http, `sum(count_over_time(${range}))`, to);
    totals.sum += await promql(http, `sum(sum_over_time(${range}))`, to);
  }
  return totals;
}

/**
 * Counts and sums the samples of a metric by Tidewatch's query over hosts, with one query for each hour. A step of
 * `SAMPLE_STEP_SECONDS` holds one sample of each host, so that the mean of a host there is that sample.
 */
export async function countTidewatch(
  http: HttpClient,
  metric: string,
  startMs: number,
  endMs: number,
): Promise<MetricTotals> {
  const hour = 3_600_000;
  const totals = { count: 0, sum: 0 };
  for (let from = startMs; from <= endMs; from += hour) {
    const range = { from: iso(from), to: iso(Math.min(endMs + 1, from + hour)), step: SAMPLE_STEP_SECONDS };
    for (const aggregate of ['count', 'sum'] as const) {
      const body = JSON.stringify({ metric, ...range, aggregate });
      const answer = await http.post('/api/v1/query', body, { 'content-type': 'application/json' });
      totals[aggregate] += sumOfPoints(answer);
    }
  }
  return totals;
}

function sumOfPoints(answer: Buffer): number {
  const { series } = JSON.parse(answer.toString()) as { series: { points: { value: number }[] }[] };
  return series.flatMap(({ points }) => points).reduce((sum, { value }) => sum + value, 0);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

async function promql(http: HttpClient, query: string, timeMs: number): Promise<number> {
  // Without `nocache`, VictoriaMetrics would move the time of the query away from the newest half minute.
  const asked = new URLSearchParams({ query, time: String(timeMs / 1000), nocache: '1', timeout: '2m' });
  const answer = JSON.parse((await http.get(`/api/v1/query?${asked}`)).toString()) as {
    data: { result: { value: [number, string] }[] };
  };
  return Number(answer.data.result[0]?.value[1] ?? 0);
}

export async function countInflux(
  http: HttpClient,
  metric: string,
  startMs: number,
  endMs: number,
): Promise<MetricTotals> {
  const query = `select count(${metric}), sum(${metric}) from host where time >= ${startMs}ms and time <= ${endMs}ms`;
  const answer = await http.get(`/query?${new URLSearchParams({ db: 'bench', q: query })}`);
  const { results } = JSON.parse(answer.toString()) as {
    results: { series?: { values: [string, number, number][] }[] }[];
  };
  const [, count = 0, sum = 0] = results[0]?.series?.[0]?.values[0] ?? [];
  return { count, sum };
}
