import { hostName, type Plan } from '../../load/plan.ts';
import { createWalk } from '../../load/walk.ts';
import { alertName, type RuleSet } from '../system.ts';

export interface FiringBounds {
  /** Alerts that fire at the end of the plan whenever rules were evaluated. */
  certain: Set<string>;
  /** Alerts that may fire then, those that are certain among them. */
  possible: Set<string>;
}

/**
 * How much older than the newest sample the state may be that a system evaluated last, ms: vmalert evaluates as of 30 s ago,
 * and a step may have to pass before the next round.
 */
const MAX_DELAY_MS = 60_000;

/**
 * Works out which alerts fire at the end of a plan. Systems evaluate at moments of their own, so that only those are certain
 * that breach throughout, and all are possible that breached nearly as long as their duration until shortly before the end.
 */
export function firingBounds(plan: Plan, { rules, stepMs }: RuleSet): FiringBounds {
  const certain = new Set<string>();
  const possible = new Set<string>();
  const delayTicks = Math.ceil(MAX_DELAY_MS / plan.stepMs);
  for (let host = 0; host < plan.hosts; host += 1) {
    const walk = createWalk(plan, host);
    const streaks = rules.map(() => 0);
    const reached = rules.map(() => Number.NEGATIVE_INFINITY);
    for (let tick = 0; tick < plan.ticks; tick += 1) {
      walk.next();
      for (const [index, { metric, threshold, durationMinutes }] of rules.entries()) {
        const breaches = (walk.values[metric] as number) / 100 > threshold;
        const streak = breaches ? (streaks[index] as number) + 1 : 0;
        streaks[index] = streak;
        if (streak > 0 && streak * plan.stepMs >= durationMinutes * 60_000 - stepMs) reached[index] = tick;
      }
    }
    for (const [index, { name }] of rules.entries()) {
      const alert = alertName(name, hostName(host));
      if (streaks[index] === plan.ticks) certain.add(alert);
      if ((reached[index] as number) >= plan.ticks - 1 - delayTicks) possible.add(alert);
    }
  }
  return { certain, possible };
}

/** Compares the firing alerts of a system with the bounds; returns differences in words. */
export function firingDifferences(
  firing: ReadonlySet<string>,
  { certain, possible }: FiringBounds,
): string[] {
  const missing = [...certain].filter((alert) => !firing.has(alert));
  const unexpected = [...firing].filter((alert) => !possible.has(alert));
  return [
    ...(missing.length === 0 ? [] : [`${missing.length} alerts do not fire, such as ${missing[0]}`]),
    ...(unexpected.length === 0
      ? []
      : [`${unexpected.length} alerts must not fire, such as ${unexpected[0]}`]),
  ];
}
