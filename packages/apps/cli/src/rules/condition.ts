import type { Schema } from '@tidewatch/client/schema';

type Rule = Pick<
  Schema<'Rule'>,
  'metric' | 'condition' | 'threshold' | 'threshold_max' | 'thresholds' | 'transform' | 'duration_minutes'
>;

const SIGNS: Readonly<Record<Rule['condition'], string>> = {
  ...{ greater_than: '>', greater_than_or_equal: '>=', less_than: '<', less_than_or_equal: '<=' },
  ...{ equal: '=', not_equal: '!=', between: 'in', not_between: 'not in' },
};

/** `average(cpu_percent, 10m) > 90 for 5m`; of several levels their thresholds. */
export function describeCondition(rule: Rule): string {
  const { metric, transform, condition, thresholds, duration_minutes: minutes } = rule;
  const subject = transform === null ? metric : `${transform.kind}(${metric}, ${transform.over_minutes}m)`;
  const levels = thresholds ?? [rule];
  const bounds = levels.map(({ threshold, threshold_max: most }) =>
    condition === 'between' || condition === 'not_between' ? `${threshold}..${most}` : String(threshold),
  );
  return `${subject} ${SIGNS[condition] ?? condition} ${bounds.join(' / ')}${minutes > 0 ? ` for ${minutes}m` : ''}`;
}
