import type { Condition } from '@tidewatch/contracts/rules/condition';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { comparisonOf } from './comparison.ts';

/** One threshold of a rule, as the rule's definition states it. */
export interface LevelDefinition {
  severity: Severity;
  condition: Condition;
  threshold: number;
  threshold_max: number | null;
  recovery_threshold: number | null;
  duration_minutes: number;
  keep_firing_minutes: number;
}

/**
 * One threshold of a rule, compiled to evaluate many samples. Immutable; all thresholds share one class, so that V8 calls
 * their methods monomorphically.
 */
export class CompiledLevel {
  readonly severity: Severity;
  readonly condition: Condition;
  readonly threshold: number;
  readonly thresholdMax: number | null;
  readonly durationMs: number;
  readonly keepFiringMs: number;
  /** The condition holds in the closed interval [low, high], or with `outside` everywhere else. */
  private readonly low: number;
  private readonly high: number;
  private readonly outside: boolean;
  /** A value is clear strictly between `clearAbove` and `clearBelow`. */
  private readonly clearAbove: number;
  private readonly clearBelow: number;
  private readonly extremity: (value: number) => number;

  constructor(definition: LevelDefinition) {
    const comparison = comparisonOf(definition);
    this.severity = definition.severity;
    this.condition = definition.condition;
    this.threshold = definition.threshold;
    this.thresholdMax = definition.threshold_max;
    this.durationMs = definition.duration_minutes * MINUTE_MS;
    this.keepFiringMs = definition.keep_firing_minutes * MINUTE_MS;
    this.low = comparison.low;
    this.high = comparison.high;
    this.outside = comparison.outside;
    this.clearAbove = comparison.clearAbove;
    this.clearBelow = comparison.clearBelow;
    this.extremity = comparison.extremity;
  }

  /** Whether the condition holds of the value. */
  breaches(value: number): boolean {
    return (value >= this.low && value <= this.high) !== this.outside;
  }

  /** Whether a value ends `firing`: it does not breach, and is strictly past the recovery threshold if there is one. */
  clears(value: number): boolean {
    return value > this.clearAbove && value < this.clearBelow;
  }

  /** Whether `value` is more extreme in the condition's direction than `than`, for the peak. */
  isWorse(value: number, than: number): boolean {
    return this.extremity(value) > this.extremity(than);
  }
}
