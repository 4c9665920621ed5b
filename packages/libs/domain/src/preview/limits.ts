import { comparisonOf } from '../rules/comparison.ts';
import type { CompiledRule } from '../rules/rule.ts';

/**
 * Limits of values for several rules at once: no rule is breached unless a value lies in [low, high] (with `outside`,
 * beyond it), and every rule is clear if all values lie strictly between the other two limits.
 */
export interface Limits {
  low: number;
  high: number;
  outside: boolean;
  clearAbove: number;
  clearBelow: number;
  /** The relative rounding error by which a value derived from samples may lie beyond their extremes. */
  margin: number;
}

/** The relative rounding error of a mean of up to a million values is far below this. */
const ROUNDING = 1e-9;

/**
 * The limits of rules that differ only in thresholds and durations. Null if the minimum and maximum of the samples do not
 * show whether the derived value could breach, as for changes and forecasts.
 */
export function limitsOf(rules: readonly CompiledRule[]): Limits | null {
  const comparisons = rules.flatMap(({ definition }) =>
    (
      definition.thresholds ?? [
        {
          threshold: definition.threshold ?? Number.NaN,
          threshold_max: definition.threshold_max,
          recovery_threshold: definition.recovery_threshold,
        },
      ]
    ).map((level) => comparisonOf({ condition: definition.condition, ...level })),
  );
  const kind = rules[0]?.transform?.kind ?? null;
  const outside = comparisons.some((comparison) => comparison.outside);
  const lows = comparisons.map(({ low }) => low);
  const highs = comparisons.map(({ high }) => high);
  const low = outside ? Math.max(...lows) : Math.min(...lows);
  const high = outside ? Math.min(...highs) : Math.max(...highs);
  const isRange = !outside && low !== Number.NEGATIVE_INFINITY && high !== Number.POSITIVE_INFINITY;
  if (kind === 'average' ? isRange : kind !== null && kind !== 'minimum' && kind !== 'maximum') return null;
  return {
    low,
    high,
    outside,
    clearAbove: Math.max(...comparisons.map(({ clearAbove }) => clearAbove)),
    clearBelow: Math.min(...comparisons.map(({ clearBelow }) => clearBelow)),
    margin: kind === 'average' ? ROUNDING : 0,
  };
}
