import { hostName, type Plan, timeOf } from '../load/plan.ts';
import { createWalk } from '../load/walk.ts';
import type { BenchRule } from '../rules.ts';
import { acknowledgedTicks } from './check.ts';
import type { Ledger } from './ledger.ts';

/** Returns one alert as a line of text, so that two sets of alerts can be compared. */
export function alertLine(ruleId: string, host: string, firedAt: number, resolvedAt: number | null): string {
  return `${ruleId} ${host} ${firedAt} ${resolvedAt ?? 'active'}`;
}

/**
 * The alerts that must have fired according to the ledger: a simple second implementation of the alert state machine, for
 * rules without recovery threshold and keep-firing time, and samples without gaps.
 */
export function expectedAlerts(plan: Plan, ledger: Ledger, rules: readonly BenchRule[]): Set<string> {
  const lines = new Set<string>();
  for (let host = 0; host < plan.hosts; host += 1) {
    const walk = createWalk(plan, host);
    const ticks = acknowledgedTicks(plan, ledger, host);
    const pendingSince: (number | null)[] = rules.map(() => null);
    const firedAt: (number | null)[] = rules.map(() => null);
    for (let tick = 0; tick < ticks; tick += 1) {
      walk.next();
      const time = timeOf(plan, host, tick);
      for (const [index, rule] of rules.entries()) {
        const breaches = (walk.values[rule.metric] as number) / 100 > rule.threshold;
        if (!breaches) {
          const fired = firedAt[index] ?? null;
          if (fired !== null) lines.add(alertLine(rule.id, hostName(host), fired, time));
          pendingSince[index] = null;
          firedAt[index] = null;
        } else {
          const since = pendingSince[index] ?? time;
          pendingSince[index] = since;
          if (time - since >= rule.durationMinutes * 60_000) firedAt[index] ??= time;
        }
      }
    }
    for (const [index, rule] of rules.entries()) {
      const fired = firedAt[index] ?? null;
      if (fired !== null) lines.add(alertLine(rule.id, hostName(host), fired, null));
    }
  }
  return lines;
}
