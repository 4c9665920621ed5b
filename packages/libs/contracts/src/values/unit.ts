const SUFFIXES = [
  ['_percent', 'percent'],
  ['_bytes', 'bytes'],
  ['_seconds', 'seconds'],
  ['_ms', 'milliseconds'],
  ['_per_second', 'per second'],
  ['_total', 'count'],
  ['_count', 'count'],
] as const;

const BYTE_METRICS = new Set(['memory_usage', 'memory_rss']);

export const UNITS = ['percent', 'bytes', 'seconds', 'milliseconds', 'per second', 'count'] as const;

export type Unit = (typeof UNITS)[number];

/** The unit of a metric by the end of its name; null if the name implies none. */
export function unitOf(metric: string): Unit | null {
  const name = metric.slice(metric.lastIndexOf('.') + 1);
  if (BYTE_METRICS.has(name)) return 'bytes';
  for (const [suffix, unit] of SUFFIXES) if (metric.endsWith(suffix)) return unit;
  return null;
}
