import type { Condition, RuleDefinition, Severity } from '@tidewatch/contracts/rule';
import { type Comparison, comparisonOf } from './comparison.ts';
import { compileSelector } from './selector.ts';

const MINUTE_MS = 60_000;

/** A rule as it is stored, which is what `compileRule` needs of it. */
export interface StoredRule {
  id: string;
  organizationId: string;
  version: number;
  definition: RuleDefinition;
}

/** A rule made ready to judge many samples. Immutable; an edited rule is compiled anew. */
export interface CompiledRule {
  readonly id: string;
  readonly organizationId: string;
  readonly version: number;
  readonly metric: string;
  readonly durationMs: number;
  readonly keepFiringMs: number;
  readonly severity: Severity;
  readonly condition: Condition;
  readonly threshold: number;
  readonly thresholdMax: number | null;
  readonly definition: RuleDefinition;
  /** Whether the condition holds of the value. */
  breaches(value: number): boolean;
  /** Whether a value that does not breach is clear enough to leave `firing`: strictly past `recovery_threshold`, where set. */
  clears(value: number): boolean;
  /** Whether `value` is more extreme in the condition's direction than `than`; what the peak is made of. */
  isWorse(value: number, than: number): boolean;
  /** Whether the rule's scope takes the host in. */
  matches(host: string, tags: Readonly<Record<string, string>>): boolean;
}

/** All rules share one class, so that `judge` calls its methods monomorphically. */
class JudgingRule implements CompiledRule {
  readonly id: string;
  readonly organizationId: string;
  readonly version: number;
  readonly metric: string;
  readonly durationMs: number;
  readonly keepFiringMs: number;
  readonly severity: Severity;
  readonly condition: Condition;
  readonly threshold: number;
  readonly thresholdMax: number | null;
  readonly definition: RuleDefinition;
  readonly matches: (host: string, tags: Readonly<Record<string, string>>) => boolean;
  /** The breach is the closed interval [low, high], or everything but it. */
  private readonly low: number;
  private readonly high: number;
  private readonly outside: boolean;
  /** What a value must lie between, strictly, to clear. */
  private readonly clearAbove: number;
  private readonly clearBelow: number;
  private readonly severityOf: (value: number) => number;

  constructor(rule: StoredRule, comparison: Comparison) {
    const definition = rule.definition;
    this.id = rule.id;
    this.organizationId = rule.organizationId;
    this.version = rule.version;
    this.definition = definition;
    this.metric = definition.metric;
    this.durationMs = definition.duration_minutes * MINUTE_MS;
    this.keepFiringMs = definition.keep_firing_minutes * MINUTE_MS;
    this.severity = definition.severity;
    this.condition = definition.condition;
    this.threshold = definition.threshold;
    this.thresholdMax = definition.threshold_max;
    this.matches = compileSelector(definition.scope);
    this.low = comparison.low;
    this.high = comparison.high;
    this.outside = comparison.outside;
    this.clearAbove = comparison.clearAbove;
    this.clearBelow = comparison.clearBelow;
    this.severityOf = comparison.extremity;
  }

  breaches(value: number): boolean {
    return (value >= this.low && value <= this.high) !== this.outside;
  }

  clears(value: number): boolean {
    return value > this.clearAbove && value < this.clearBelow;
  }

  isWorse(value: number, than: number): boolean {
    return this.severityOf(value) > this.severityOf(than);
  }
}

/** Makes a stored rule ready to judge. The definition must be valid: `threshold_max` is set where the condition needs it. */
export function compileRule(rule: StoredRule): CompiledRule {
  return new JudgingRule(rule, comparisonOf(rule.definition));
}
