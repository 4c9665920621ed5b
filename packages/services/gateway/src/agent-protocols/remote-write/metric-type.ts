import type { SeriesType } from '../series/sent-series.ts';

/** Types of metric families as metadata of remote write number them, in both versions. */
export const MetricType = {
  unknown: 0,
  counter: 1,
  gauge: 2,
  histogram: 3,
  gaugeHistogram: 4,
  summary: 5,
  info: 6,
  stateSet: 7,
} as const;

const CUMULATIVE_PART = /_(?:bucket|sum|count)$/;

/** The type of the series `name` of a family with this type. */
export function seriesTypeOf(type: number, name: string): SeriesType {
  if (type === MetricType.counter) return 'counter';
  if (type === MetricType.histogram || type === MetricType.summary)
    return CUMULATIVE_PART.test(name) ? 'counter' : 'gauge';
  return type > MetricType.unknown && type <= MetricType.stateSet ? 'gauge' : 'unknown';
}
