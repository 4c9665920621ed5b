import { CONDITION_FACTS, type Condition } from '@tidewatch/contracts/rules/condition';

/**
 * A condition as numbers: it holds in the closed interval [low, high], or with `outside` everywhere else. One comparison
 * serves all eight conditions; `greater_than 5` starts at the next double above 5.
 */
export interface Comparison {
  low: number;
  high: number;
  outside: boolean;
  /** A value is clear strictly between `clearAbove` and `clearBelow`; infinite where there is no recovery threshold. */
  clearAbove: number;
  clearBelow: number;
  /** Maps a value to a number that is larger the worse the value is for the condition. */
  extremity: (value: number) => number;
}

/** The fields that define a comparison. */
export interface Limits {
  condition: Condition;
  threshold: number;
  threshold_max: number | null;
  recovery_threshold: number | null;
}

/** The comparison of a threshold. A recovery threshold is used only for conditions with one direction. */
export function comparisonOf(definition: Limits): Comparison {
  const { threshold } = definition;
  const { holds, isRange, isInclusive } = CONDITION_FACTS[definition.condition];
  switch (holds) {
    case 'above':
      return upward(definition, isInclusive ? threshold : nextUp(threshold));
    case 'below':
      return downward(definition, isInclusive ? threshold : -nextUp(-threshold));
    default: {
      const max = isRange ? (definition.threshold_max ?? threshold) : threshold;
      return range(threshold, max, holds === 'outside');
    }
  }
}

/** A comparison that always holds, and that no value is clear of. */
const UNBOUNDED: Omit<Comparison, 'extremity'> = {
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
  outside: false,
  clearAbove: Number.NEGATIVE_INFINITY,
  clearBelow: Number.POSITIVE_INFINITY,
};

function upward({ recovery_threshold: recovery }: Limits, low: number): Comparison {
  const clearBelow = recovery ?? UNBOUNDED.clearBelow;
  return { ...UNBOUNDED, low, clearBelow, extremity: (value) => value };
}

function downward({ recovery_threshold: recovery }: Limits, high: number): Comparison {
  const clearAbove = recovery ?? UNBOUNDED.clearAbove;
  return { ...UNBOUNDED, high, clearAbove, extremity: (value) => -value };
}

/** Inside a range the worst value is the one furthest from its bounds; for `outside`, the one furthest beyond. */
function range(low: number, high: number, outside: boolean): Comparison {
  const depth = (value: number) => Math.min(value - low, high - value);
  return { ...UNBOUNDED, low, high, outside, extremity: outside ? (value) => -depth(value) : depth };
}

const bits = new DataView(new ArrayBuffer(8));

/** The next double above a finite one. */
function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}
