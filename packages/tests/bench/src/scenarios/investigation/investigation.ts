import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@tidewatch/database/connection';
import type { Product } from '@tidewatch/harness/product';
import { createApi, createRule } from '../../api.ts';
import { withAdmin } from '../../database.ts';
import { summarise } from '../../measure/percentile.ts';
import { cpuByKind } from '../../measure/processor.ts';
import { figureTable, listed, number, spread } from '../../report/table.ts';
import type { Scenario } from '../../scenario.ts';
import { fillDay, hostName, ingest } from './investigation-fill.ts';

interface InvestigationRun {
  host: string;
  /** The time from the claim of the investigation to its end, as recorded, seconds. */
  seconds: number;
  /** CPU-seconds of Node and of PostgreSQL, minus those of the idle product. */
  node: number;
  postgres: number;
  conclusion: string | null;
}

type InvestigationResult = Awaited<ReturnType<typeof runInvestigations>>;

const SINGLE_RUNS = 5;
const REST_MS = 5_000;
/** What the product may use at rest, CPU-seconds a second, and how long it is waited for after samples were stored, ms. */
const REST = 0.1;
const MAX_REST_MS = 180_000;
const WITHIN_MS = 900_000;

export const investigation: Scenario = {
  measures: `a day of hosts with 100 metrics: what looking for the cause of one alert takes, and of one on each host at
once, and how ingest fares meanwhile`,
  options: ['hosts', 'every'],
  limits: { hosts: { default: 100 } },
  async run(product, filling, print) {
    const figures = await runInvestigations(product, filling);
    print(investigationTable(figures));
    return { valid: true, figures };
  },
};

/**
 * Stores a day of samples of many hosts; then investigates one alert after another, and finally one of each host at once.
 */
async function runInvestigations(product: Product, { hosts, every }: { hosts: number; every: number }) {
  const api = createApi(product.url, product.key);
  return withAdmin(product.dataDir, async (sql) => {
    const began = performance.now();
    const to = Date.now();
    const samples = await fillDay(product, { hosts, every }, to);
    const filledSeconds = (performance.now() - began) / 1_000;
    const idle = await rest(product);
    const singles = Math.min(SINGLE_RUNS, hosts - 1);
    await createRule(api, 'cpu_percent', 90, { name: 'busy', severity: 'critical' });
    const runs: InvestigationRun[] = [];
    for (let index = 0; index < singles; index += 1) runs.push(await runAlone(product, sql, index, idle));
    const atRest = usedFor(product, 2 * REST_MS);
    const ingestAtRest = summarise(await ingestUntil(product, atRest));
    const drain = drainBurst(product, sql, singles, hosts, await atRest);
    const ingestMeanwhile = summarise(await ingestUntil(product, drain));
    const burst = await drain;
    return { hosts, every, samples, filledSeconds, idle, runs, burst, ingestAtRest, ingestMeanwhile };
  });
}

/** CPU-seconds of Node and PostgreSQL, or so many a second. */
type Used = ReturnType<typeof cpuByKind>;

/** Waits until the product rests, since storing goes on in the background; what it then uses a second. */
async function rest(product: Product): Promise<Used> {
  for (const deadline = performance.now() + MAX_REST_MS; ; ) {
    const used = await usedFor(product, REST_MS);
    if (used.node + used.postgres < REST || performance.now() > deadline) return used;
  }
}

/** CPU-seconds per second that Node and PostgreSQL use in the next `ms`. */
async function usedFor(product: Product, ms: number): Promise<Used> {
  const before = cpuByKind(product);
  await sleep(ms);
  const after = cpuByKind(product);
  return {
    node: (after.node - before.node) / (ms / 1_000),
    postgres: (after.postgres - before.postgres) / (ms / 1_000),
  };
}

async function runAlone(product: Product, sql: Sql, index: number, idle: Used): Promise<InvestigationRun> {
  const [began, before] = [performance.now(), cpuByKind(product)];
  await ingest(product, [{ host: hostName(index), metrics: { cpu_percent: 95 } }]);
  for (const deadline = began + WITHIN_MS; performance.now() < deadline; await sleep(20)) {
    const [row] = await sql<{ seconds: number; conclusion: string | null }[]>`
      select extract(epoch from completed_at - started_at)::float8 as seconds, conclusion from investigations
      where host = ${hostName(index)} and status = 'completed'`;
    if (row === undefined) continue;
    const after = cpuByKind(product);
    const elapsed = (performance.now() - began) / 1_000;
    return {
      host: hostName(index),
      ...row,
      node: after.node - before.node - idle.node * elapsed,
      postgres: after.postgres - before.postgres - idle.postgres * elapsed,
    };
  }
  throw new Error(`the investigation of ${hostName(index)} did not end`);
}

/**
 * Fires one alert on each host that was not investigated yet, by one request, and waits for all investigations. `meanwhile` is
 * what is used a second without them.
 */
async function drainBurst(product: Product, sql: Sql, from: number, hosts: number, meanwhile: Used) {
  const [began, before] = [performance.now(), cpuByKind(product)];
  const alerts = hosts - from;
  const payloads = Array.from({ length: alerts }, (_, index) => ({
    host: hostName(from + index),
    metrics: { cpu_percent: 95 },
  }));
  await ingest(product, payloads);
  for (const deadline = began + WITHIN_MS; performance.now() < deadline; await sleep(250)) {
    const [row] = await sql<{ ended: number; slowest: number }[]>`
      select count(*)::int as ended, max(extract(epoch from completed_at - started_at))::float8 as slowest
      from investigations where status = 'completed'`;
    if (row === undefined || row.ended < hosts) continue;
    const after = cpuByKind(product);
    const drainedSeconds = (performance.now() - began) / 1_000;
    const each = (kind: keyof Used) =>
      (after[kind] - before[kind] - meanwhile[kind] * drainedSeconds) / alerts;
    return {
      alerts,
      drainedSeconds,
      slowestSeconds: row.slowest,
      node: each('node'),
      postgres: each('postgres'),
    };
  }
  throw new Error('timeout: not all investigations were completed');
}

/** Sends a payload of 100 metrics every 50 ms until `ended`; returns how long each took, ms. */
async function ingestUntil(product: Product, ended: Promise<unknown>): Promise<number[]> {
  const latencies: number[] = [];
  let going = true;
  const stop = () => {
    going = false;
  };
  ended.then(stop, stop);
  const metrics = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`other_${index}`, index]));
  while (going) {
    const began = performance.now();
    await ingest(product, [{ host: 'meanwhile', metrics }]);
    latencies.push(performance.now() - began);
    await sleep(50);
  }
  return latencies;
}

function investigationTable(result: InvestigationResult): string {
  const { hosts, every, samples, filledSeconds, idle, runs, burst, ingestAtRest, ingestMeanwhile } = result;
  return figureTable([
    [
      'hosts and samples',
      `${number(hosts)} and ${number(samples)}, ${every} s apart, in ${number(filledSeconds, 0)} s`,
    ],
    ['CPU-s a second at rest, Node / PostgreSQL', `${number(idle.node, 2)} / ${number(idle.postgres, 2)}`],
    [
      'seconds of a run',
      listed(
        runs.map(({ seconds }) => seconds),
        2,
      ),
    ],
    [
      'CPU-s of a run, Node',
      listed(
        runs.map(({ node }) => node),
        2,
      ),
    ],
    [
      'CPU-s of a run, PostgreSQL',
      listed(
        runs.map(({ postgres }) => postgres),
        2,
      ),
    ],
    ['conclusions', runs.map(({ conclusion }) => conclusion ?? 'none').join(' / ')],
    [
      'alerts at once',
      `${number(burst.alerts)}; queue empty after ${number(burst.drainedSeconds, 1)} s, slowest run ${number(burst.slowestSeconds, 2)} s`,
    ],
    ['CPU-s of each of those, Node / PostgreSQL', `${number(burst.node, 2)} / ${number(burst.postgres, 2)}`],
    ['ingest p50 / p99 / max, at rest', spread(ingestAtRest, 1)],
    ['the same while the queue drains', spread(ingestMeanwhile, 1)],
  ]);
}
