import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '../../load/plan.ts';
import { planRules } from '../../rules.ts';
import { firingBounds, firingDifferences } from '../rules/firing-bounds.ts';
import { sendPlan, wholeLedger } from '../send.ts';
import type { Evaluations, RuleSet, RunningSystem } from '../system.ts';

export interface PacedFigures {
  version: string;
  /** The number of samples after the warm-up. */
  samples: number;
  /** CPU-seconds a million samples, after the warm-up until rest, while idle in between included. */
  cpuSeconds: number;
  peakBytes: number;
  /** How late requests were, p99, ms. */
  lagMs: number;
  /** Evaluations of rules from the warm-up to the last step; null where the system does not count them. */
  evaluations: Evaluations | null;
  /** The number of alerts that fire at the end. */
  firing: number;
  differences: string[];
}

export interface PacedLoad {
  hosts: number;
  /** The time that is measured, a multiple of the step. */
  seconds: number;
  rules: number;
}

const STEP_MS = 10_000;
/**
 * Steps before what is measured: the first one creates hosts and series, of which the last are sent in the second one,
 * and programs that are compiled as they run are compiled.
 */
const WARM_UP_STEPS = 6;
const DURATION_MINUTES = 1;
/** The share of the evaluations that must have taken place; a round more or less may fall into the time that is measured. */
const MIN_EVALUATED = 0.85;
/** Lag beyond which the load was not the planned one, ms. */
const MAX_LAG_MS = 5_000;

/** Plans a load in real time: each host reports every step at a moment of its own. */
export function pacedPlan({ hosts, seconds }: PacedLoad, startMs: number): Plan {
  return {
    seed: 20_261_132,
    hosts,
    metrics: 10,
    stepMs: STEP_MS,
    startMs,
    ticks: WARM_UP_STEPS + Math.floor((seconds * 1_000) / STEP_MS),
    connections: 32,
    payloadsPerRequest: 100,
    paced: true,
    rich: false,
    parts: 0,
  };
}

/** The rules of a load, which are evaluated each step. */
export function pacedRules({ rules }: PacedLoad): RuleSet {
  return { rules: planRules(rules, DURATION_MINUTES), stepMs: STEP_MS };
}

/**
 * Sends a fleet's samples at their times to a system without data that was started with `rules`, or without any. The
 * warm-up is not measured.
 */
export async function runPaced(
  system: RunningSystem,
  load: PacedLoad,
  rules: RuleSet | null,
): Promise<PacedFigures> {
  const plan = pacedPlan(load, (Math.floor(Date.now() / STEP_MS) + 1) * STEP_MS);
  const measured = sleep(plan.startMs + WARM_UP_STEPS * STEP_MS - Date.now()).then(async () => ({
    cpuSeconds: system.cpuSeconds(),
    evaluations: await system.evaluations(),
  }));
  const [before, { lag }] = await Promise.all([measured, sendPlan(system, plan)]);
  const evaluations = since(before.evaluations, await system.evaluations());
  const firing = rules === null ? new Set<string>() : await system.firing();
  const cpuSeconds = (await system.rest()) - before.cpuSeconds;
  const samples = plan.hosts * (plan.ticks - WARM_UP_STEPS) * plan.metrics;
  return {
    version: system.version,
    samples,
    cpuSeconds: cpuSeconds / (samples / 1e6),
    peakBytes: system.peakBytes(),
    lagMs: lag.p99,
    evaluations,
    firing: firing.size,
    differences: [
      ...(lag.p99 > MAX_LAG_MS ? [`requests were up to ${lag.p99} ms late`] : []),
      ...evaluationDifferences(evaluations, load.rules * (plan.ticks - WARM_UP_STEPS)),
      ...(rules === null ? [] : firingDifferences(firing, firingBounds(plan, rules))),
      ...(await system.compare(plan, wholeLedger(plan))),
    ],
  };
}

function since(before: Evaluations | null, after: Evaluations | null): Evaluations | null {
  if (before === null || after === null) return null;
  return { done: after.done - before.done, missed: after.missed - before.missed };
}

/** Says in words where rules were evaluated less often than each step. */
export function evaluationDifferences(evaluations: Evaluations | null, planned: number): string[] {
  if (evaluations === null) return [];
  const { done, missed } = evaluations;
  return [
    ...(missed > 0 ? [`${missed} rounds were left out, or evaluations failed`] : []),
    ...(done < planned * MIN_EVALUATED ? [`${done} evaluations of ${planned}`] : []),
  ];
}
