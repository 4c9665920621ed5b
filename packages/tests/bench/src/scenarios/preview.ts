import { setTimeout as sleep } from 'node:timers/promises';
import type { Preview } from '@tidewatch/contracts/rules/preview';
import { cpuByName } from '@tidewatch/testkit/process-tree';
import type { Product } from '@tidewatch/testkit/product';
import { createApi } from '../api.ts';
import { openAdmin } from '../database.ts';
import { fillHistory } from './preview-fill.ts';

export interface PreviewTiming {
  name: string;
  /** Seconds over HTTP, of each round. */
  seconds: number[];
  /** CPU-seconds of Node and of PostgreSQL, of each round. */
  node: number[];
  postgres: number[];
  alerts: number;
  /** The longest that another request, one sent every 20 ms, had to wait meanwhile, ms. */
  slowestOther: number;
}

export interface PreviewResult {
  hosts: number;
  days: number;
  filledSeconds: number;
  minutes: number;
  hours: number;
  /** Hours in which a value breaches the rule. */
  loudHours: number;
  timings: PreviewTiming[];
}

const DAYS = 30;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const ROUNDS = 3;
const RULE = {
  name: 'preview',
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  duration_minutes: 5,
};
const QUESTIONS = [
  { name: 'the rule alone', body: { rule: RULE } },
  {
    name: 'with a curve of 3 thresholds and 3 durations',
    body: { rule: RULE, thresholds: [88, 90, 94], durations: [1, 5, 10] },
  },
  {
    name: 'with a curve of 20 thresholds and 10 durations',
    body: {
      rule: RULE,
      thresholds: Array.from({ length: 20 }, (_, index) => 80 + index),
      durations: [0, 1, 2, 3, 5, 8, 10, 15, 20, 30],
    },
  },
];

/** Minutes of hosts in 30 days, written straight into the database, and previews over all of them. */
export async function runPreview(product: Product, hosts: number): Promise<PreviewResult> {
  const api = createApi(product.url, product.key);
  const began = performance.now();
  const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const from = to - DAYS * DAY_MS;
  const admin = openAdmin(product.dataDir);
  try {
    await fillHistory(admin.sql, { hosts, from, to });
    const filledSeconds = (performance.now() - began) / 1_000;
    const [counts] = await admin.sql<Pick<PreviewResult, 'minutes' | 'hours' | 'loudHours'>[]>`
      select sum(cnt0)::int as minutes, count(*)::int as hours,
        count(*) filter (where max0 > ${RULE.threshold})::int as "loudHours"
      from rollup_1h`;
    if (counts === undefined) throw new Error('nothing was written');
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const timings: PreviewTiming[] = [];
    for (const { name, body } of QUESTIONS) {
      const timing: PreviewTiming = { name, seconds: [], node: [], postgres: [], alerts: 0, slowestOther: 0 };
      for (let round = 0; round < ROUNDS; round += 1) {
        const others = askMeanwhile(product);
        const [start, used] = [performance.now(), cpuOf(product)];
        const answer = await api.post<Preview>('/alerts/rules/preview', { ...body, ...range }, 200);
        timing.seconds.push((performance.now() - start) / 1_000);
        const now = cpuOf(product);
        timing.node.push(now.node - used.node);
        timing.postgres.push(now.postgres - used.postgres);
        timing.alerts = answer.alerts_total;
        timing.slowestOther = Math.max(timing.slowestOther, await others.stop());
      }
      timings.push(timing);
    }
    return { hosts, days: DAYS, filledSeconds, ...counts, timings };
  } finally {
    await admin.close();
  }
}

/** CPU-seconds so far; what of PostgreSQL has ended counts for its postmaster, which is no Node. */
function cpuOf(product: Product): { node: number; postgres: number } {
  const used = { node: 0, postgres: 0 };
  for (const [name, seconds] of cpuByName(product.pid()))
    used[name.startsWith('postgres') ? 'postgres' : 'node'] += seconds;
  return used;
}

/** Asks whether the product lives, every 20 ms; answers the longest that it took. */
function askMeanwhile(product: Product) {
  let slowest = 0;
  let going = true;
  const run = (async () => {
    while (going) {
      const start = performance.now();
      await (await fetch(`${product.url}/healthz`)).arrayBuffer();
      slowest = Math.max(slowest, performance.now() - start);
      await sleep(20);
    }
  })();
  return {
    stop: async () => {
      going = false;
      await run;
      return slowest;
    },
  };
}
