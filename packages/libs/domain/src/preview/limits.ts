import { comparisonOf } from '../rules/comparison.ts';
import type { CompiledRule } from '../rules/rule.ts';

/**
 * What a stretch of values has to stay within for several rules at once. No value breaches any of them unless one lies
 * in [low, high], or with `outside` beyond it; every value clears all of them if all lie strictly between the other two.
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

/** Means of up to a million values are wrong by far less of the largest one. */
const ROUNDING = 1e-9;

/**
 * The limits of rules that differ in thresholds and durations only. Null where extremes do not decide whether what is
 * derived could breach: a change or a line may lead anywhere, and a mean between extremes that lie around a range.
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
