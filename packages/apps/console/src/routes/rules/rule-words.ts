import { CONDITION_FACTS } from '@tidewatch/contracts/rules/condition';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import type { Transform } from '@tidewatch/contracts/rules/rule-terms';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { formatValue } from '../../components/number/number-format.ts';
import { visibleText } from '../../components/visible-text.ts';

type Limits = Pick<RuleDefinition, 'metric' | 'condition'> & {
  threshold: number | null;
  threshold_max: number | null;
};

/** "> 90 %", "in 10 % to 20 %". */
export function limitText({ metric, condition, threshold, threshold_max }: Limits): string {
  const { sign, isRange } = CONDITION_FACTS[condition];
  const of = (value: number | null) => formatValue(value, unitOf(metric), metric);
  return isRange ? `${sign} ${of(threshold)} to ${of(threshold_max)}` : `${sign} ${of(threshold)}`;
}

/** "cpu_percent > 90 %, 5 min", with each of several thresholds. */
export function conditionText(rule: RuleDefinition): string {
  const { metric, condition, duration_minutes, thresholds, transform } = rule;
  const name = visibleText(metric);
  const what = transform === null ? name : `${transformText(transform)} of ${name}`;
  if (thresholds === null) return `${what} ${limitText(rule)}${lasting(duration_minutes)}`;
  const levels = thresholds.map(
    (level) =>
      `${level.severity} ${limitText({ ...level, metric, condition })}${lasting(level.duration_minutes ?? duration_minutes)}`,
  );
  return `${what}: ${levels.join('; ')}`;
}

function lasting(minutes: number): string {
  return minutes === 0 ? '' : `, ${minutes} min`;
}

/** "mean of the last 10 min". */
export function transformText(transform: Transform): string {
  const window = `${transform.over_minutes} min`;
  switch (transform.kind) {
    case 'average':
      return `mean over ${window}`;
    case 'minimum':
      return `minimum over ${window}`;
    case 'maximum':
      return `maximum over ${window}`;
    case 'change':
      return `change over ${window}`;
    case 'rate_per_minute':
      return `change a minute over ${window}`;
    case 'forecast':
      return `forecast in ${transform.ahead_minutes} min from ${window}`;
  }
}

/** The worst severity that the rule may have. */
export function worstSeverity({ severity, thresholds }: Pick<RuleDefinition, 'severity' | 'thresholds'>) {
  const order = ['critical', 'warning', 'info'] as const;
  const all = thresholds?.map((level) => level.severity) ?? [severity];
  return order.find((each) => all.includes(each)) ?? severity;
}

/** "all hosts", or the patterns of names and tags, and of names and labels of parts. */
export function scopeText(scope: RuleDefinition['scope']): string {
  const { hosts = [], tags = {}, part_labels: labels = {} } = scope;
  const subjects = (['part', 'container', 'process'] as const).map(
    (kind) => [kind, [scope[kind] ?? []].flat()] as const,
  );
  const ofHosts = [
    ...(hosts.length > 0 ? [hosts.join(', ')] : []),
    ...Object.entries(tags).map(([name, patterns]) => `${name}=${[patterns].flat().join(' or ')}`),
  ];
  const parts = [
    ...(ofHosts.length > 0 ? ofHosts : ['all hosts']),
    ...subjects.flatMap(([kind, names]) => (names.length > 0 ? [`${kind} ${names.join(', ')}`] : [])),
    ...Object.entries(labels).map(([name, patterns]) => `label ${name}=${[patterns].flat().join(' or ')}`),
  ];
  return visibleText(parts.join('; '));
}
