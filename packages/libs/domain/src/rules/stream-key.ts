import type { Transform } from '@tidewatch/contracts/rules/rule-terms';

/** Separates the parts of a key; no metric name contains it. */
const SEPARATOR = '\0';

/** The key of what a rule evaluates: a metric, or a value derived from it. The key is stored, so it must not change. */
export function streamKey(metric: string, transform: Transform | null): string {
  if (transform === null) return metric;
  const ahead = transform.kind === 'forecast' ? `+${transform.ahead_minutes}` : '';
  return `${metric}${SEPARATOR}${transform.kind}/${transform.over_minutes}${ahead}`;
}
