import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';

/** A candidate of a preview's curve: the rule with another threshold or duration. */
export interface Candidate {
  threshold: number;
  durationMinutes: number;
  definition: RuleDefinition;
}

/**
 * The rule with every combination of the given thresholds and durations; none if neither is given. The recovery threshold
 * keeps its distance from the threshold, and overrides keep their own values. The rule must have a single threshold.
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
