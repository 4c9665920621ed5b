import { CONDITION_FACTS, type Condition } from '@tidewatch/contracts/rules/condition';

/**
 * A condition as plain numbers: it holds of the closed interval [low, high], or of everything `outside` it.
 * So one comparison serves all eight conditions, and `greater_than 5` begins at the next double above 5.
 */
export interface Comparison {
  low: number;
  high: number;
  outside: boolean;
  /** A value clears strictly between these; infinite where no recovery threshold is set. */
  clearAbove: number;
  clearBelow: number;
  /** Grows in the condition's direction: the larger, the worse. */
  extremity: (value: number) => number;
}

/** The fields that define a comparison. */
export interface Limits {
  condition: Condition;
  threshold: number;
  threshold_max: number | null;
  recovery_threshold: number | null;
}

/** The comparison that a threshold makes. A recovery threshold counts only for conditions with one direction. */
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

function upward(definition: Limits, low: number): Comparison {
  const clearBelow = definition.recovery_threshold ?? Number.POSITIVE_INFINITY;
  const high = Number.POSITIVE_INFINITY;
  return {
    low,
    high,
    outside: false,
    clearAbove: Number.NEGATIVE_INFINITY,
    clearBelow,
    extremity: (value) => value,
  };
}

function downward(definition: Limits, high: number): Comparison {
  const clearAbove = definition.recovery_threshold ?? Number.NEGATIVE_INFINITY;
  const low = Number.NEGATIVE_INFINITY;
  return {
    low,
    high,
    outside: false,
    clearAbove,
    clearBelow: Number.POSITIVE_INFINITY,
    extremity: (value) => -value,
  };
}

/** Within a range the worst value lies deepest in it, outside of one the farthest from it. */
function range(low: number, high: number, outside: boolean): Comparison {
  const depth = (value: number) => Math.min(value - low, high - value);
  const extremity = outside ? (value: number) => -depth(value) : depth;
  return {
    low,
    high,
    outside,
    clearAbove: Number.NEGATIVE_INFINITY,
    clearBelow: Number.POSITIVE_INFINITY,
    extremity,
  };
}

const bits = new DataView(new ArrayBuffer(8));

/** The next double above a finite one. */
function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  bits.setFloat64(0, value);
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}
