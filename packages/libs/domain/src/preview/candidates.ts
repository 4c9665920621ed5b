import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';

/** One point of the curve: the rule with another threshold and duration. */
export interface Candidate {
  threshold: number;
  durationMinutes: number;
  definition: RuleDefinition;
}

/**
 * The rule with each threshold and each duration; a list that is not given is the rule's own value, and without either
 * there are none. A recovery threshold keeps its distance; what overrides set of their own stays as they set it. The
 * rule must have a single threshold.
 */
export function candidatesOf(
  rule: RuleDefinition,
  thresholds: readonly number[] | undefined,
  durations: readonly number[] | undefined,
): Candidate[] {
  const own = rule.threshold;
  if (own === null || (thresholds === undefined && durations === undefined)) return [];
  return (thresholds ?? [own]).flatMap((threshold) =>
    (durations ?? [rule.duration_minutes]).map((durationMinutes) => ({
      threshold,
      durationMinutes,
      definition: {
        ...rule,
        threshold,
        recovery_threshold:
          rule.recovery_threshold === null ? null : rule.recovery_threshold - own + threshold,
        duration_minutes: durationMinutes,
      },
    })),
  );
}
