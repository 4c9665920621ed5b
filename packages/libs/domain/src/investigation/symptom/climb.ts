import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { MetricFacts, Series } from '../facts.ts';
import { classOf, type MetricClass, worseOf } from '../metric-class.ts';
import type { Outlook, Shift } from '../outlook.ts';
import { findHinge, fitLine } from '../statistics/line.ts';
import { mean, median, scoreOfDistance, spreadAround } from '../statistics/robust.ts';
import { slice } from '../statistics/slice.ts';
import { summaryOf } from '../statistics/summary.ts';
import { floorOf } from './floor.ts';

/** The size of a climb, in usual spreads, at which it is as probably real as random. */
const HALF = 6;

/** Finds a slow climb over the whole history, for a metric without a recent sudden change; null if there is none. */
export function climbOf(history: Series, outlook: Outlook, floor: number): Shift | null {
  const upTo = slice(history, Number.NEGATIVE_INFINITY, outlook.to);
  const hinge = findHinge(thinned(upTo, 288), 24);
  if (hinge === null || hinge.at >= outlook.to - 30 * MINUTE_MS) return null;
  const before = slice(upTo, Number.NEGATIVE_INFINITY, hinge.at);
  const since = slice(upTo, hinge.at, outlook.to);
  if (before.times.length < 30 || since.times.length < 10) return null;
  const line = fitLine(since);
  if (line === null || line.fit < 0.6) return null;
  const usual = median(before.values);
  const now = median(since.values.subarray(Math.floor(since.values.length * 0.9)));
  const delta = now - usual;
  if (delta * line.slope <= 0) return null;
  const spread = Math.max(spreadAround(before.values, usual), floor);
  const most = delta > 0 ? Math.max(...before.values) : Math.min(...before.values);
  // A rise within the range of earlier values is part of the usual daily course.
  if ((now - most) * delta <= 0) return null;
  const z = delta / spread;
  return {
    baseline: summaryOf(before, before.times[0] ?? hinge.at, hinge.at),
    observed: summaryOf(since, hinge.at, outlook.to),
    delta,
    spread,
    z,
    score: scoreOfDistance(z, HALF),
    startedAt: hinge.at,
    shape: 'ramp',
    usualAtThisTime: false,
  };
}

/** The min number of values, and the min period, ms, over which a metric that climbs all the time is recognized. */
const MIN_STEADY_VALUES = 12;
const MIN_STEADY_MS = 15 * MINUTE_MS;
/** The min share of the variance that the line through a steady climb explains. */
const MIN_STEADY_FIT = 0.9;
/** What fills up: of other metrics, a climb over all that is known may be the usual course of a day. */
const FILLS: readonly MetricClass[] = ['memory', 'space'];

/**
 * Finds a climb that lasts from the first known value to the last: of what fills up, growth is trouble even where nothing is known from
 * before. Its size is measured in distances of values from the line. Null if there is none.
 */
export function steadyClimbOf({ metric, history }: MetricFacts, { to }: Outlook): Shift | null {
  if (!FILLS.includes(classOf(metric))) return null;
  const known = slice(history, Number.NEGATIVE_INFINITY, to);
  const { times, values } = known;
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (times.length < MIN_STEADY_VALUES || last - first < MIN_STEADY_MS) return null;
  const line = fitLine(known);
  if (line === null || line.fit < MIN_STEADY_FIT) return null;
  const tenth = Math.ceil(times.length / 10);
  const usual = median(values.subarray(0, tenth));
  const delta = median(values.subarray(-tenth)) - usual;
  if (delta * worseOf(metric) <= 0) return null;
  const distances = Float64Array.from(values, (value, at) => value - line.at(times[at] as number));
  const spread = Math.max(spreadAround(distances, 0), floorOf(metric, usual));
  const z = delta / spread;
  const since = times[tenth] as number;
  return {
    baseline: summaryOf(slice(known, first, since), first, since),
    observed: summaryOf(slice(known, since, to), since, to),
    delta,
    spread,
    z,
    score: scoreOfDistance(z, HALF),
    startedAt: first,
    shape: 'ramp',
    usualAtThisTime: false,
  };
}

/** Reduces a series to at most `most` points, each the mean of equally many neighbouring points. */
function thinned(series: Series, most: number): Series {
  const run = Math.ceil(series.times.length / most);
  if (run <= 1) return series;
  const count = Math.floor(series.times.length / run);
  const times = new Float64Array(count);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    times[i] = series.times[i * run] as number;
    values[i] = mean(series.values.subarray(i * run, (i + 1) * run));
  }
  return { times, values };
}
