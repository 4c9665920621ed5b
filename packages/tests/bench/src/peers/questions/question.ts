import { hostName, metricName, type Plan, timeOf } from '../../load/plan.ts';
import { createWalk } from '../../load/walk.ts';

export const STEP_MS = 60_000;

/** What is read, by minutes: `host` reads metrics of one host, `hosts` one metric of every host, `mean` their mean. */
export type Question = {
  /** Minutes on which the range begins and ends, ms since the epoch; the end is not part of it. */
  fromMs: number;
  toMs: number;
} & ({ kind: 'host'; host: string; metrics: readonly string[] } | { kind: 'hosts' | 'mean'; metric: string });

/** The mean of each minute by series: a metric for `host`, a host for `hosts`, and `mean`. A minute without a value is NaN. */
export type Answer = Map<string, Float64Array>;

export const MEAN = 'mean';

export function emptySteps({ fromMs, toMs }: Question): Float64Array {
  return new Float64Array((toMs - fromMs) / STEP_MS).fill(Number.NaN);
}

/** The tolerance of a mean relative to its size: sums of doubles depend on the order of additions. */
const TOLERANCE = 1e-9;
const MAX_DIFFERENCES = 3;

/** Works out the answer from the plan, whose walks give every value. */
export function expectedAnswer(plan: Plan, question: Question): Answer {
  const steps = emptySteps(question).length;
  const wanted = question.kind === 'host' ? question.metrics : [question.metric];
  const metrics = wanted.map((name) => indexOfMetric(plan, name));
  const answer: Answer = new Map();
  const means = new Float64Array(steps);
  let hosts = 0;
  for (let host = 0; host < plan.hosts; host += 1) {
    if (question.kind === 'host' && question.host !== hostName(host)) continue;
    hosts += 1;
    const sums = metrics.map(() => new Float64Array(steps));
    const counts = new Float64Array(steps);
    const walk = createWalk(plan, host);
    for (let tick = 0; tick < plan.ticks; tick += 1) {
      walk.next();
      const step = Math.floor((timeOf(plan, host, tick) - question.fromMs) / STEP_MS);
      if (step < 0 || step >= steps) continue;
      counts[step] = (counts[step] as number) + 1;
      for (const [index, metric] of metrics.entries()) {
        const sum = sums[index] as Float64Array;
        sum[step] = (sum[step] as number) + (walk.values[metric] as number);
      }
    }
    const own = sums.map((sum) => sum.map((value, step) => value / 100 / (counts[step] as number)));
    if (question.kind === 'host') for (const [index, name] of wanted.entries()) answer.set(name, own[index]!);
    else if (question.kind === 'hosts') answer.set(hostName(host), own[0]!);
    else for (let step = 0; step < steps; step += 1) means[step] = (means[step] as number) + own[0]![step]!;
  }
  if (question.kind === 'mean')
    answer.set(
      MEAN,
      means.map((sum) => sum / hosts),
    );
  return answer;
}

/** Compares two answers; returns the first few differences in words. */
export function answerDifferences(expected: Answer, found: Answer): string[] {
  const differences: string[] = [];
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted, got] = [expected.get(name), found.get(name)];
    if (differences.length >= MAX_DIFFERENCES) break;
    if (wanted === undefined || got === undefined)
      differences.push(`${name} is ${got === undefined ? 'missing' : 'unexpected'}`);
    else {
      const step = wanted.findIndex((value, index) => !isNear(value, got[index] ?? Number.NaN));
      if (step >= 0 || wanted.length !== got.length)
        differences.push(`${name}, minute ${step}: ${got[step]}, not ${wanted[step]}`);
    }
  }
  return differences;
}

function isNear(a: number, b: number): boolean {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) && Number.isNaN(b);
  return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a), Math.abs(b));
}

function indexOfMetric(plan: Plan, name: string): number {
  const index = Array.from({ length: plan.metrics }, (_, metric) => metricName(metric)).indexOf(name);
  if (index < 0) throw new Error(`the plan has no metric ${name}`);
  return index;
}
