import { CONDITION_FACTS, type Condition } from './condition.ts';
import type { RuleDefinition, RuleWarning } from './rule.ts';
import type { Level } from './rule-terms.ts';

/** The severities from worst to mildest. */
const WORST_FIRST = ['critical', 'warning', 'info'];

/**
 * Warns about thresholds of a rule or override that can never set the severity, because a worse threshold holds whenever
 * they do, for as long: probably, severities were mixed up.
 */
export function thresholdWarnings(rule: RuleDefinition): RuleWarning[] {
  const own = rule.thresholds ?? [];
  return [
    ...hidden(own, rule, '/thresholds'),
    ...rule.overrides.flatMap((override, index) =>
      hidden(
        override.thresholds ?? [],
        { ...rule, duration_minutes: override.duration_minutes ?? rule.duration_minutes },
        `/overrides/${index}/thresholds`,
      ),
    ),
  ];
}

function hidden(
  levels: readonly Level[],
  rule: Pick<RuleDefinition, 'condition' | 'duration_minutes'>,
  path: string,
): RuleWarning[] {
  const sorted = levels.toSorted((a, b) => WORST_FIRST.indexOf(a.severity) - WORST_FIRST.indexOf(b.severity));
  return sorted.flatMap((level, place) => {
    const worse = sorted.slice(0, place).find((other) => hides(other, level, rule));
    if (worse === undefined) return [];
    const message =
      `The ${level.severity} of ${path} can never show: wherever it holds, ${worse.severity} holds as well. ` +
      'Have the thresholds been exchanged?';
    return [{ code: 'threshold_hidden' as const, message }];
  });
}

/** Whether every value that breaches the level `milder` also breaches `worse`, after the same time or sooner. */
function hides(
  worse: Level,
  milder: Level,
  { condition, duration_minutes: usual }: Pick<RuleDefinition, 'condition' | 'duration_minutes'>,
): boolean {
  const isAsSoon = (worse.duration_minutes ?? usual) <= (milder.duration_minutes ?? usual);
  return isAsSoon && includes(condition, rangeOf(worse), rangeOf(milder));
}

type Range = readonly [low: number, high: number];

const rangeOf = ({ threshold, threshold_max: max }: Level): Range => [threshold, max ?? threshold];

/** Whether every value that satisfies the condition with the limits `inner` satisfies it with those of `outer`. */
function includes(condition: Condition, outer: Range, inner: Range): boolean {
  switch (CONDITION_FACTS[condition].holds) {
    case 'above':
      return outer[0] <= inner[0];
    case 'below':
      return outer[0] >= inner[0];
    case 'inside':
      return outer[0] <= inner[0] && outer[1] >= inner[1];
    case 'outside':
      return outer[0] >= inner[0] && outer[1] <= inner[1];
  }
}
