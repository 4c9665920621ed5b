import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { hostName, metricName, type Plan } from '../../load/plan.ts';
import { type Percentiles, summarise } from '../../measure/percentile.ts';
import { answerDifferences, expectedAnswer, type Question } from '../questions/question.ts';
import { sendPlan, wholeLedger } from '../send.ts';
import type { RunningSystem } from '../system.ts';

export interface StoredFigures {
  version: string;
  samples: number;
  /** From the first request to the last response, seconds. */
  sendSeconds: number;
  /** CPU-seconds a million samples, from the first request until rest. */
  cpuSeconds: number;
  /** Bytes a sample at rest: of what is stored, and with logs. */
  dataBytes: number;
  withLogBytes: number;
  peakBytes: number;
  reads: ReadFigures[];
  /** What differs from what was sent or asked for. The figures are void unless the list is empty. */
  differences: string[];
}

export interface ReadFigures {
  name: string;
  requests: number;
  /** Of the time until the last byte of an answer, ms; one request at a time. */
  latency: Percentiles;
  /** CPU-seconds of the system for a request. */
  cpuSeconds: number;
}

interface QuestionSet {
  name: string;
  requests: number;
  question(plan: Plan, index: number): Question;
}

/** Data that is stored as fast as responses arrive, and then read. */
export interface StoredJob {
  plan(now: number): Plan;
  reads: readonly QuestionSet[];
}

const METRICS = 10;
const STEP_MS = 10_000;
const SHARED = {
  metrics: METRICS,
  stepMs: STEP_MS,
  connections: 32,
  payloadsPerRequest: 100,
  paced: false,
  rich: false,
  parts: 0,
};
/** How long ago the day of the job has ended at least, so that work on whole days can begin at once. */
const SINCE_DAY_MS = 3 * HOUR_MS;
const WARM_UP = 3;

const rangeOf = ({ startMs, ticks, stepMs }: Plan) => ({ fromMs: startMs, toMs: startMs + ticks * stepMs });

/** An hour of 1,000 hosts, which ends with the last whole minute. */
const hour: StoredJob = {
  plan: (now) => ({
    ...SHARED,
    seed: 20_261_130,
    hosts: 1_000,
    startMs: Math.floor(now / 60_000) * 60_000 - HOUR_MS,
    ticks: HOUR_MS / STEP_MS,
  }),
  reads: [
    {
      name: 'one metric of 1,000 hosts, an hour by minute, each host',
      requests: 20,
      question: (plan, index) => ({ kind: 'hosts', metric: metricName(index % METRICS), ...rangeOf(plan) }),
    },
    {
      name: 'the same, their mean',
      requests: 50,
      question: (plan, index) => ({ kind: 'mean', metric: metricName(index % METRICS), ...rangeOf(plan) }),
    },
  ],
};

/** The last whole day of 200 hosts. */
const day: StoredJob = {
  plan: (now) => ({
    ...SHARED,
    seed: 20_261_131,
    hosts: 200,
    startMs: Math.floor((now - SINCE_DAY_MS) / DAY_MS) * DAY_MS - DAY_MS,
    ticks: DAY_MS / STEP_MS,
  }),
  reads: [
    {
      name: '24 h of one host, 3 metrics by minute',
      requests: 50,
      question: (plan, index) => ({
        kind: 'host',
        host: hostName((index * 7) % plan.hosts),
        metrics: [0, 1, 2].map((offset) => metricName((index + offset) % METRICS)),
        ...rangeOf(plan),
      }),
    },
  ],
};

export const STORED_JOBS = { hour, day } as const;

/** Stores a plan in a system without data, waits until it rests, times reads and compares everything. */
export async function runStored(system: RunningSystem, job: StoredJob, now: number): Promise<StoredFigures> {
  const plan = job.plan(now);
  const samples = plan.hosts * plan.ticks * plan.metrics;
  const before = system.cpuSeconds();
  const { seconds } = await sendPlan(system, plan);
  const cpuSeconds = (await system.rest()) - before;
  const { data, withLog } = await system.bytes();
  const reads: ReadFigures[] = [];
  const differences: string[] = [];
  for (const set of job.reads) {
    const read = await timeReads(system, plan, set);
    reads.push(read.figures);
    differences.push(...read.differences);
  }
  differences.push(...(await system.compare(plan, wholeLedger(plan))));
  return {
    version: system.version,
    samples,
    sendSeconds: seconds,
    cpuSeconds: cpuSeconds / (samples / 1e6),
    dataBytes: data / samples,
    withLogBytes: withLog / samples,
    peakBytes: system.peakBytes(),
    reads,
    differences,
  };
}

async function timeReads(
  system: RunningSystem,
  plan: Plan,
  { name, requests, question }: QuestionSet,
): Promise<{ figures: ReadFigures; differences: string[] }> {
  const took: number[] = [];
  let before = system.cpuSeconds();
  for (let index = -WARM_UP; index < requests; index += 1) {
    if (index === 0) before = system.cpuSeconds();
    const asked = question(plan, index + WARM_UP);
    const began = performance.now();
    await system.ask(asked);
    if (index >= 0) took.push(performance.now() - began);
  }
  const cpuSeconds = (system.cpuSeconds() - before) / requests;
  // One answer is compared afterwards, so that parsing disturbs no request.
  const checked = question(plan, requests);
  const found = system.parse(checked, await system.ask(checked));
  const differences = answerDifferences(expectedAnswer(plan, checked), found).map(
    (text) => `${name}: ${text}`,
  );
  return { figures: { name, requests, latency: summarise(took), cpuSeconds }, differences };
}
