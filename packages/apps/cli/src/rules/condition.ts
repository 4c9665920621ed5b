import type { Schema } from '@tidewatch/api-client/schema';
import { CONDITION_FACTS } from '@tidewatch/contracts/rules/condition';
import { counted } from '../output/counted.ts';

type Rule = Pick<
  Schema<'Rule'>,
  | 'metric'
  | 'condition'
  | 'threshold'
  | 'threshold_max'
  | 'thresholds'
  | 'transform'
  | 'duration_minutes'
  | 'severity'
  | 'overrides'
>;

/**
 * Describes a condition as `average(cpu_percent, 10m) > 90 for 5m`, or with several levels as `memory_percent > 90 warning
 * for 10m, 97 critical for 5m`, followed by the number of overrides.
 */
export function describeCondition(rule: Rule): string {
  const { condition, thresholds, duration_minutes: usual, overrides } = rule;
  // Handles conditions that only a later version of the server knows.
  const facts = Object.hasOwn(CONDITION_FACTS, condition) ? CONDITION_FACTS[condition] : undefined;
  const levels = (thresholds ?? [{ ...rule, severity: null }]).map((level) => ({
    bound: facts?.isRange ? `${level.threshold}..${level.threshold_max}` : String(level.threshold),
    severity: level.severity === null ? '' : ` ${level.severity}`,
    lasts: lasting(level.duration_minutes ?? usual),
  }));
  const [first] = levels;
  const alike = levels.every(({ lasts }) => lasts === first?.lasts);
  const bounds = levels.map(({ bound, severity, lasts }) => `${bound}${severity}${alike ? '' : lasts}`);
  const exceptions = overrides.length === 0 ? '' : ` (${counted(overrides.length, 'override')})`;
  return `${subjectOf(rule)} ${facts?.sign ?? condition} ${bounds.join(', ')}${alike ? first?.lasts : ''}${exceptions}`;
}

/** The severities that alerts of a rule can have, least severe first. */
export function severitiesOf({ severity, thresholds }: Pick<Rule, 'severity' | 'thresholds'>): string[] {
  return thresholds === null ? [severity] : thresholds.map((level) => level.severity);
}

function subjectOf({ metric, transform }: Rule): string {
  if (transform === null) return metric;
  const ahead = transform.kind === 'forecast' ? `, ${transform.ahead_minutes}m ahead` : '';
  return `${transform.kind}(${metric}, ${transform.over_minutes}m${ahead})`;
}

const lasting = (minutes: number) => (minutes > 0 ? ` for ${minutes}m` : ' at once');
