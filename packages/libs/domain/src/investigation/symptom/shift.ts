import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { MetricFacts, Series } from '../facts.ts';
import type { Summary } from '../finding.ts';
import type { Outlook, Shift } from '../outlook.ts';
import { fitLine } from '../statistics/line.ts';
import { noiseOf } from '../statistics/noise.ts';
import { pelt } from '../statistics/pelt.ts';
import { mean, median, scoreOfDistance, spreadAround } from '../statistics/robust.ts';
import { firstAt, slice, stepOf } from '../statistics/slice.ts';
import { summaryOf } from '../statistics/summary.ts';
import { spreadOfWindows } from '../statistics/windows.ts';
import { climbOf, steadyClimbOf } from './climb.ts';
import { floorOf } from './floor.ts';
import { oldStepOf } from './old-step.ts';
import { isPast, MIN_PAST_VALUES, pastBefore } from './past.ts';

/** The period in which change points are searched for, ms. */
const NEAR_MS = 4 * HOUR_MS;
/** The size of a shift, in usual spreads, at which it is as probably real as random. */
const HALF = 6;
/** A shift of at most this many minutes is measured in samples, since its minutes are not complete. */
const YOUNG = 2;
/** A return to normal for fewer points than this does not end a shift. */
const BRIDGE = 5;

/**
 * Finds whether and since when a metric differs from its usual level: change points of the last four hours by PELT, or a
 * hinge for a steady climb. Its size is measured in the usual spread of windows of the same length against the two hours
 * before them, so that daily rhythm and slow noise are no shift.
 * @returns null if there is too little data
 */
export function shiftOf(metric: MetricFacts, outlook: Outlook): Shift | null {
  const known = computed.get(metric);
  if (known?.to === outlook.to && known.doubtFrom === outlook.doubtFrom) return known.shift;
  const shift = changeOf(metric, outlook) ?? steadyClimbOf(metric, outlook) ?? oldStepOf(metric, outlook);
  computed.set(metric, { ...outlook, shift });
  return shift;
}

/** Cached because all detectors ask for the shifts of the same metrics; facts do not change. */
const computed = new WeakMap<MetricFacts, Outlook & { readonly shift: Shift | null }>();

function changeOf(metric: MetricFacts, given: Outlook): Shift | null {
  const outlook = { ...given, doubtFrom: doubtOf(metric.history, given) };
  const { history } = metric;
  const near = slice(history, outlook.to - NEAR_MS, outlook.to);
  const before = pastBefore(history, outlook.doubtFrom);
  if (!isPast(before, history, outlook.to) || near.times.length < 2) return null;
  const level = median(before.values);
  const noise = noiseOf(before.values, level);
  const floor = floorOf(metric.metric, level);
  const variance = Math.max(noise.longRunVariance, (floor * floor) / 4);
  const starts = pelt(near.values, 3 * Math.log(near.times.length) * variance);
  const tail = tailOf(near, starts, level, Math.max(noise.sigma, floor / 2), outlook.doubtFrom);
  const climb = climbOf(history, outlook, floor);
  if (tail === null) return climb;
  const step = stepOfTail(metric, near, tail, outlook, floor);
  if (step === null) return climb;
  return climb !== null && Math.abs(climb.z) > Math.abs(step.z) ? climb : step;
}

/**
 * When the trouble may have begun at the earliest. For a host that is known for some minutes only, the first three quarters
 * of them are its past, if they suffice.
 */
export function doubtOf({ times }: Series, { doubtFrom, noticedAt }: Outlook): number {
  const first = times[0];
  const enough = times[MIN_PAST_VALUES];
  if (noticedAt === undefined || first === undefined) return doubtFrom;
  if (enough === undefined) return Math.max(doubtFrom, noticedAt);
  if (enough <= doubtFrom) return doubtFrom;
  return Math.min(noticedAt, Math.max(enough, noticedAt - (noticedAt - first) / 4));
}

interface Tail {
  /** Indexes of the shift in the series of the last four hours; `end` is exclusive. */
  readonly begin: number;
  readonly end: number;
}

/**
 * The segments that belong to the shift: the one furthest from the usual level, weighted by its length, and those that lead
 * to it; null if none differs.
 */
function tailOf(
  near: Series,
  starts: number[],
  level: number,
  sigma: number,
  doubtFrom: number,
): Tail | null {
  const doubt = firstAt(near.times, doubtFrom);
  const segments = starts.map((begin, nth) => {
    const end = starts[nth + 1] ?? near.values.length;
    return { begin, end, off: mean(near.values.subarray(begin, end)) - level };
  });
  let peak = -1;
  let most = 0;
  segments.forEach(({ begin, end, off }, nth) => {
    const weight = Math.abs(off) * Math.sqrt(Math.min(10, end - Math.max(begin, doubt)));
    if (end > doubt && weight > most) {
      most = weight;
      peak = nth;
    }
  });
  const top = segments[peak];
  if (top === undefined || Math.abs(top.off) < sigma) return null;
  let first = peak;
  let dip = 0;
  // A segment before a dip belongs to the shift only if it is as high as the segments after the dip.
  const leads = (off: number) =>
    off * top.off > 0 && Math.abs(off) >= Math.max((dip > 0 ? 0.5 : 0.25) * Math.abs(top.off), 1.5 * sigma);
  for (let nth = peak - 1; nth >= 0; nth--) {
    const segment = segments[nth];
    if (segment === undefined) break;
    if (leads(segment.off)) {
      first = nth;
      dip = 0;
    } else {
      dip += segment.end - segment.begin;
      if (dip > BRIDGE) break;
    }
  }
  return { begin: segments[first]?.begin ?? top.begin, end: top.end };
}

function stepOfTail(
  metric: MetricFacts,
  near: Series,
  tail: Tail,
  outlook: Outlook,
  floor: number,
): Shift | null {
  const coarse = near.times[tail.begin] as number;
  const reference = pastBefore(metric.history, coarse);
  if (!isPast(reference, metric.history, outlook.to)) return null;
  const usual = median(reference.values);
  const inside = near.values.subarray(tail.begin, tail.end);
  const ramp = isRamp(inside, usual);
  const reached = ramp ? inside.subarray(Math.floor(inside.length * 0.8)) : inside;
  const now = median(reached);
  const moved = now - usual;
  const past = slice(metric.history, Number.NEGATIVE_INFINITY, coarse);
  const length = Math.min(60, inside.length);
  const startedAt = ramp
    ? rampStart({ times: near.times.subarray(tail.begin, tail.end), values: inside }, usual, coarse)
    : exactStart(metric.recent, coarse, Math.max(MINUTE_MS, stepOf(near.times)), usual + moved / 2, moved);
  const young = inside.length <= YOUNG ? sampledSince(metric.recent, startedAt, outlook.to, usual) : null;
  const delta = young !== null && young.delta / moved > 1 ? young.delta : moved;
  const spread = Math.max(
    spreadOfWindows(past.values, length),
    floor,
    delta === moved ? 0 : (young?.spread ?? 0),
  );
  const z = delta / spread;
  const yesterday = slice(metric.history, startedAt - DAY_MS, outlook.to - DAY_MS);
  const usualAtThisTime = yesterday.times.length >= 3 && (median(yesterday.values) - usual) / delta > 0.7;
  return {
    baseline: summaryOf(reference, reference.times[0] ?? coarse, coarse),
    observed: observedFrom(metric, startedAt, outlook.to, near),
    delta,
    spread,
    z,
    score: scoreOfDistance(usualAtThisTime ? z / 2 : z, HALF),
    startedAt,
    shape: ramp ? 'ramp' : 'step',
    usualAtThisTime,
  };
}

/**
 * Measures a shift of a few minutes by its samples, since the mean of the minute in which it began includes values from
 * before. Null if there are no samples from before and after.
 */
function sampledSince(
  recent: Series,
  startedAt: number,
  to: number,
  usual: number,
): { delta: number; spread: number } | null {
  const since = slice(recent, startedAt, to).values;
  const before = slice(recent, startedAt - HOUR_MS, startedAt).values;
  if (since.length === 0 || before.length < MIN_PAST_VALUES) return null;
  return { delta: median(since) - usual, spread: spreadAround(before, median(before)) };
}

function isRamp(values: Float64Array, usual: number): boolean {
  if (values.length < 8) return false;
  const quarter = values.length >> 2;
  const early = mean(values.subarray(0, quarter)) - usual;
  const middle = mean(values.subarray(quarter, values.length - quarter)) - usual;
  const late = mean(values.subarray(values.length - quarter)) - usual;
  return late !== 0 && early / late < 0.5 && middle / late < 0.8 && middle / late > 0.3;
}

/** The time at which a line through a ramp crosses the usual level, at most one ramp length before `seen` (ms). */
function rampStart(ramp: Series, usual: number, seen: number): number {
  const line = fitLine(ramp);
  if (line === null || line.slope === 0) return seen;
  const crossing = seen + (usual - line.at(seen)) / line.slope;
  const length = (ramp.times.at(-1) ?? seen) - seen;
  return Math.round(Math.max(seen - length, Math.min(seen, crossing)));
}

/** The first sample near `coarse` that is beyond half of the change; `coarse` if there are no samples. */
function exactStart(recent: Series, coarse: number, step: number, half: number, delta: number): number {
  const around = slice(recent, coarse - step, coarse + 2 * step);
  const beyond = (value: number | undefined) => value !== undefined && (value - half) * delta > 0;
  for (let i = 0; i < around.times.length; i++) {
    const next = i + 1 === around.times.length || beyond(around.values[i + 1]);
    if (beyond(around.values[i]) && next) return around.times[i] as number;
  }
  return coarse;
}

/** Summarizes the samples if they are kept, otherwise the means of minutes. */
function observedFrom(metric: MetricFacts, from: number, to: number, near: Series): Summary {
  const samples = slice(metric.recent, from, to);
  const known = metric.recent.times[0];
  if (known !== undefined && known <= from && samples.times.length > 0) return summaryOf(samples, from, to);
  return summaryOf(slice(near, from, to), from, to);
}
