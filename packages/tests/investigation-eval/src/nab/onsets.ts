import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Series } from '@tidewatch/domain/investigation/facts';
import { shiftOf } from '@tidewatch/domain/investigation/symptom/shift';
import { seriesBetween } from '../reduce.ts';

/** A detector that returns the times (ms, in any order) at which the level of a metric changed. */
export interface OnsetDetector {
  readonly name: string;
  onsets(metric: string, series: Series): number[];
}

/** A simple detector for comparison: two consecutive samples with a robust z above 6 against the previous 24 hours. */
export const plainDetector: OnsetDetector = {
  name: 'robust z > 6, twice running',
  onsets(_metric, { times, values }) {
    const found: number[] = [];
    let running = 0;
    let begin = 0;
    for (let i = 1; i < times.length; i++) {
      const now = times[i] as number;
      while ((times[begin] as number) < now - DAY_MS) begin += 1;
      running = robustZ(values.subarray(begin, i), values[i] as number) > 6 ? running + 1 : 0;
      if (running === 2) found.push(now);
    }
    return found;
  },
};

/** The interval at which change points are searched for; `DOUBT_MS` is the period in which each search looks. */
const ASKED_MS = 15 * MINUTE_MS;
const DOUBT_MS = 30 * MINUTE_MS;
const HISTORY_MS = 48 * HOUR_MS;
/** The min score of a shift that counts as a change point. */
const SHIFTED = 0.5;

/** The detector of change points in investigations, run every quarter of an hour on the data known until then. */
export const changePoints: OnsetDetector = {
  name: 'change points of investigations',
  onsets(metric, series) {
    const found: number[] = [];
    let before = false;
    const last = series.times.at(-1) ?? 0;
    for (let to = (series.times[0] ?? 0) + HISTORY_MS / 2; to <= last; to += ASKED_MS) {
      const history = seriesBetween(series, to - HISTORY_MS, to);
      const shift = shiftOf(
        {
          metric,
          unit: null,
          history,
          recent: seriesBetween(history, to - DOUBT_MS, to),
          before: seriesBetween(history, to, to),
          subject: { kind: 'host', name: 'host' },
          source: { ref: metric, query: metric, from: to - HISTORY_MS, to },
        },
        { to, doubtFrom: to - DOUBT_MS },
      );
      const shifted = shift !== null && shift.score >= SHIFTED;
      if (shifted && !before) found.push(shift.startedAt);
      before = shifted;
    }
    return found;
  },
};

function robustZ(past: Float64Array, value: number): number {
  if (past.length < 12) return 0;
  const middle = medianOf(past);
  const spread = 1.4826 * medianOf(past.map((each) => Math.abs(each - middle)));
  return Math.abs(value - middle) / Math.max(spread, 1e-9 + 0.01 * Math.abs(middle));
}

function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}
