import type { MetricName } from './natures.ts';
import type { Signal } from './signal.ts';

export interface Rule {
  readonly metric: MetricName;
  readonly threshold: number;
  readonly durationMs: number;
}

export interface Firing {
  readonly pendingSince: number;
  readonly firedAt: number;
}

/**
 * Returns the time in `[from, to)` at which a rule "greater than" fires first, evaluated at each sample; null if it
 * never does.
 */
export function fire(
  signal: Signal,
  rule: Rule,
  from: number,
  to: number,
  intervalMs: number,
): Firing | null {
  let since: number | null = null;
  for (let time = from; time < to; time += intervalMs) {
    if (signal.at(time) <= rule.threshold) since = null;
    else {
      since ??= time;
      if (time - since >= rule.durationMs) return { pendingSince: since, firedAt: time };
    }
  }
  return null;
}
