import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { MetricFacts, Series, Source } from './facts.ts';
import type { EvidenceDraft } from './finding.ts';
import type { Shift } from './outlook.ts';
import { slice } from './statistics/slice.ts';
import { isoTime } from './words/figures.ts';

const MAX_POINTS = 240;

/** Evidence about one metric: its values from an hour before the shift until now, and the statistics of the shift. */
export function metricEvidence(metric: MetricFacts, shift: Shift | null, to: number): EvidenceDraft {
  const { ref, query } = metric.source;
  const from = Math.min((shift?.startedAt ?? to) - HOUR_MS, to - 2 * HOUR_MS);
  const shown = slice(metric.history, from, to);
  return {
    ref,
    query,
    from: metric.source.from,
    to: metric.source.to,
    stats: shift === null ? { count: shown.times.length } : shiftStatistics(shift),
    points: seriesPoints(shown),
  };
}

export function shiftStatistics(shift: Shift): Record<string, number | string | null> {
  return {
    usual_median: shift.baseline.median,
    usual_count: shift.baseline.count,
    observed_median: shift.observed.median,
    observed_count: shift.observed.count,
    difference: shift.delta,
    usual_spread: shift.spread,
    spreads: shift.z,
    started_at: isoTime(shift.startedAt),
    shape: shift.shape,
  };
}

/** Points with `t` and `value`, thinned evenly to the max size of evidence; the newest point always stays. */
export function seriesPoints(series: Series): Array<Record<string, number | string>> {
  const stride = Math.ceil(series.times.length / MAX_POINTS);
  const points: Array<Record<string, number | string>> = [];
  for (let i = series.times.length - 1; i >= 0; i -= stride)
    points.push({ t: isoTime(series.times[i] as number), value: series.values[i] as number });
  return points.reverse();
}

/** Evidence in the form of a table that was read from `source`, cut to the max size of evidence. */
export function tableEvidence(
  source: Source,
  part: string,
  stats: EvidenceDraft['stats'],
  points: EvidenceDraft['points'],
): EvidenceDraft {
  const { ref, query, from, to } = source;
  return { ref: `${ref}${part}`, query, from, to, stats, points: points.slice(0, MAX_POINTS) };
}
