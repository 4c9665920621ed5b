import { setTimeout as sleep } from 'node:timers/promises';
import type { Preview } from '@tidewatch/contracts/rules/preview';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { watchPeaks } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { MAX_VALUES } from '@tidewatch/store/preview/plan-legs';
import { createApi } from '../../api.ts';
import { openAdmin } from '../../database.ts';
import { nodePeak } from '../../measure/node-peak.ts';
import { cpuByKind } from '../../measure/processor.ts';
import { figureTable, listed, mebibytes, number, peakRows, type Row } from '../../report/table.ts';
import type { Scenario } from '../../scenario.ts';
import { fillHistory } from './preview-fill.ts';
import { type Question, questionsOf, THRESHOLD, tooMuchOf } from './preview-questions.ts';

interface PreviewTiming {
  name: string;
  /** The duration of the request in each round, seconds. */
  seconds: number[];
  /** CPU-seconds of Node and of PostgreSQL in each round. */
  node: number[];
  postgres: number[];
  alerts: number;
  /** The longest duration of another request in that time, one sent every 20 ms, ms. */
  slowestOther: number;
}

/** The refusal of a preview that is too large, whose suggested range must be accepted. */
interface Refusal {
  seconds: number;
  /** The suggested range, in days before the end. */
  possibleDays: number;
  possible: PreviewTiming;
}

type PreviewResult = Awaited<ReturnType<typeof runPreview>>;

const DAYS = 30;
const RAW_DAYS = 7;
const ROUNDS = 3;

export const preview: Scenario = {
  measures:
    'what a rule would have done in 30 days of its hosts, whose minutes are written straight into the database',
  options: ['hosts'],
  async run(product, { hosts }, print) {
    const result = await runPreview(product, hosts);
    print(previewTable(result));
    return { valid: true, figures: { ...result, peaks: Object.fromEntries(result.peaks) } };
  },
};

/** Writes 30 days of samples and rollups directly into the database, and measures previews over all hosts. */
async function runPreview(product: Product, hosts: number) {
  const began = performance.now();
  const to = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const from = to - DAYS * DAY_MS;
  const rawFrom = to - RAW_DAYS * DAY_MS;
  const admin = openAdmin(product.dataDir);
  const memory = watchPeaks(product.pid);
  try {
    const written = await fillHistory(admin.sql, { hosts, from, rawFrom, to }, THRESHOLD);
    const filledSeconds = (performance.now() - began) / 1_000;
    const [disk] = await admin.sql<{ bytes: number }[]>`
      select pg_database_size(current_database())::float8 as bytes`;
    if (disk === undefined) throw new Error('the database returned no size');
    const idleNode = nodePeak(memory.peaks());
    const timings: PreviewTiming[] = [];
    for (const question of questionsOf({ from, to, rawDays: RAW_DAYS }))
      timings.push(await time(product, question, ROUNDS));
    const refusal = written.minutes > MAX_VALUES ? await refuse(product, { from, to }) : null;
    const peaks = memory.peaks();
    return {
      hosts,
      days: DAYS,
      filledSeconds,
      ...written,
      diskBytes: disk.bytes,
      timings,
      refusal,
      peaks,
      idleNode,
    };
  } finally {
    memory.stop();
    await admin.close();
  }
}

async function time(product: Product, { name, body }: Question, rounds: number): Promise<PreviewTiming> {
  const api = createApi(product.url, product.key);
  const timing: PreviewTiming = { name, seconds: [], node: [], postgres: [], alerts: 0, slowestOther: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const others = askMeanwhile(product);
    const [start, used] = [performance.now(), cpuByKind(product)];
    const answer = await api.post<Preview>('/alerts/rules/preview', body, 200);
    timing.seconds.push((performance.now() - start) / 1_000);
    const now = cpuByKind(product);
    timing.node.push(now.node - used.node);
    timing.postgres.push(now.postgres - used.postgres);
    timing.alerts = answer.alerts_total;
    timing.slowestOther = Math.max(timing.slowestOther, await others.stop());
  }
  return timing;
}

async function refuse(product: Product, range: { from: number; to: number }): Promise<Refusal> {
  const api = createApi(product.url, product.key);
  const { body } = tooMuchOf(range);
  const start = performance.now();
  const problem = await api.post<{ errors: { message: string }[] }>('/alerts/rules/preview', body, 422);
  const seconds = (performance.now() - start) / 1_000;
  const named = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(problem.errors[0]?.message ?? '')?.[0];
  if (named === undefined) throw new Error(`no smaller range is named: ${JSON.stringify(problem)}`);
  const from = Date.parse(named);
  const possible = await time(product, tooMuchOf({ from, to: range.to }), 1);
  return { seconds, possibleDays: (range.to - from) / DAY_MS, possible };
}

/** Requests /healthz every 20 ms; returns the maximum duration. */
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

function previewTable(result: PreviewResult): string {
  const { hosts, days, filledSeconds, samples, minutes, hours, loudHours, timings, refusal } = result;
  return figureTable([
    ['hosts and days', `${number(hosts)} and ${number(days)}`],
    [
      'written',
      `${number(minutes)} minutes and ${number(samples)} samples in ${number(filledSeconds, 0)} s, ${mebibytes(result.diskBytes)} MiB`,
    ],
    [
      'hours that could breach',
      `${number(loudHours)} of ${number(hours)}, ${number((100 * loudHours) / hours, 2)} %`,
    ],
    ...timings.map(timingRow),
    ...refusalRows(refusal),
    ['peak RSS of Node before', `${mebibytes(result.idleNode)} MiB`],
    ...peakRows(result.peaks),
  ]);
}

function refusalRows(refusal: PreviewResult['refusal']): Row[] {
  if (refusal === null) return [];
  const { seconds, possibleDays, possible } = refusal;
  return [
    [
      'every hour could breach',
      `refused within ${number(seconds, 2)} s, ${number(possibleDays, 2)} days named`,
    ],
    timingRow({ ...possible, name: 'what was named' }),
  ];
}

function timingRow(timing: PreviewTiming): Row {
  return [
    timing.name,
    `${listed(timing.seconds, 2)} s; CPU-s of Node ${listed(timing.node, 2)}, of PostgreSQL ${listed(timing.postgres, 2)}; ${number(timing.alerts)} alerts; slowest other answer ${number(timing.slowestOther, 0)} ms`,
  ];
}
