import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Series, SnapshotFacts } from '../facts.ts';
import type { Summary } from '../finding.ts';
import { classOf, isCpuLike } from '../metric-class.ts';
import { correlation } from '../statistics/correlation.ts';
import { median, scoreOfDistance, spreadAround } from '../statistics/robust.ts';
import { firstAt, slice, stepOf, valueAt } from '../statistics/slice.ts';
import { summaryOf } from '../statistics/summary.ts';
import type { Symptom } from './symptom.ts';

/** The minimum spread of the use of processor (points) or memory (bytes): nearly constant values have one close to zero. */
const FLOORS = { cpu: 1.5, memory: 24 * 2 ** 20 };
const FLOOR_SHARE = 0.05;
/** The size of a growth, in usual spreads, at which it is as probably real as random. */
const HALF = 4;

/** The longest time by which a cause may precede the symptom. */
const AHEAD_MS = 15 * MINUTE_MS;

export type Resource = 'cpu' | 'memory';

/** The use of a resource by one process or container before the symptom began and since then. */
export interface Growth {
  readonly name: string;
  readonly resource: Resource;
  readonly series: Series;
  readonly before: Summary;
  readonly after: Summary;
  /** The growth of the use: in percent of one processor for `cpu`, in bytes for `memory`. */
  readonly delta: number;
  readonly z: number;
  /** The correlation of the use with the symptom over all known values; null if there are too few values. */
  readonly correlation: number | null;
  /** Whether the process or container was absent from every snapshot before the symptom. */
  readonly appeared: boolean;
  /** The first time at which the use had risen by half of its growth, ms; null if there is none. */
  readonly startedAt: number | null;
}

/** The growth of one process or container, compared with the growth of all others of its kind. */
export interface Explained extends Growth {
  /** The share of this growth in the growth of all processes or containers, 0 to 1. */
  readonly share: number;
  readonly score: number;
}

/**
 * Compares the use of a process or container while the symptom was present with the hour before: medians, in spreads of
 * that hour (1.4826 × MAD with a floor). For a symptom that climbed, the use in its last fifth is taken.
 * @returns null if the use is not known both before and during the symptom
 */
export function growthOf(name: string, resource: Resource, series: Series, symptom: Symptom): Growth | null {
  const start = symptom.startedAt;
  const { from, to } = symptom.episode;
  const step = Math.max(stepOf(series.times), 1);
  const climbs = symptom.shift?.shape === 'ramp';
  let before = slice(series, start - HOUR_MS, start - step / 2);
  let since = slice(series, from, to);
  // The sample with which the symptom began may have the time stamp of the start of its minute.
  if (since.times.length === 0) since = slice(series, from - step, to);
  if (climbs) {
    const known = slice(series, Math.max(start, series.times[0] ?? start), to);
    const fifth = Math.max(1, Math.floor(known.times.length / 5));
    if (before.times.length < 3) before = head(known, fifth);
    since = tail(known, fifth);
  } else {
    const present = pick(since, (time) => symptom.present(time));
    if (present.times.length > 0) since = present;
  }
  if (before.times.length < 3 || since.times.length === 0) return null;
  const usual = median(before.values);
  const now = median(since.values);
  const delta = now - usual;
  const floor = Math.max(FLOORS[resource], FLOOR_SHARE * Math.abs(usual));
  const spread = Math.max(spreadAround(before.values, usual), floor);
  return {
    name,
    resource,
    series,
    before: summaryOf(before, before.times[0] ?? start, start),
    after: summaryOf(since, since.times[0] ?? from, to),
    delta,
    z: delta / spread,
    correlation: withSymptom(series, symptom),
    appeared: before.values.every((value) => value === 0) && now > 0,
    startedAt: halfway(series, symptom, usual + delta / 2, delta),
  };
}

/**
 * Scores each growth as a possible cause: by its size in usual spreads, its share of all growth, its correlation with the
 * symptom, its start, and whether the symptom concerns the same resource.
 */
export function explain(growths: readonly Growth[], symptom: Symptom): Explained[] {
  const total = { cpu: 0, memory: 0 };
  for (const { resource, delta, z } of growths) if (delta > 0 && z > 2) total[resource] += delta;
  return growths.map((growth) => {
    const share = growth.delta > 0 ? growth.delta / Math.max(total[growth.resource], growth.delta) : 0;
    const distance = Math.max(0, growth.z);
    const score =
      scoreOfDistance(distance, HALF) *
      (0.1 + 0.9 * share) *
      together(growth) *
      inTime(growth, symptom) *
      relevance(symptom, growth.resource) *
      enough(growth, symptom);
    return { ...growth, share, score };
  });
}

function together({ correlation: r }: Growth): number {
  return r === null ? 0.6 : 0.15 + 0.85 * Math.max(0, r);
}

/**
 * How well the start of a growth fits the symptom, 0 to 1: less if it began long before or well after. For a symptom of
 * several bursts, the start of the first burst or of the investigated one counts.
 */
function inTime({ startedAt }: Growth, symptom: Symptom): number {
  if (startedAt === null || symptom.shift?.shape === 'ramp') return 0.9;
  return Math.max(near(startedAt - symptom.startedAt), near(startedAt - symptom.episode.from));
}

function near(late: number): number {
  return late > 0
    ? Math.exp(-Math.max(0, late - MINUTE_MS) / (4 * MINUTE_MS))
    : Math.exp(Math.min(0, late + MINUTE_MS) / (20 * MINUTE_MS));
}

/** Whether the use of a resource can affect the metric of the symptom. */
function relevance({ metric }: Symptom, resource: Resource): number {
  if (metric === null) return 0.6;
  if (isCpuLike(metric.metric)) return resource === 'cpu' ? 1 : 0.1;
  const kind = classOf(metric.metric);
  if (kind === 'memory') return resource === 'memory' ? 1 : 0.1;
  if (kind === 'space') return 0.1;
  return resource === 'cpu' ? 0.6 : 0.4;
}

/** Whether the growth is large enough to explain the rise of a metric that is a percentage of all processors. */
function enough({ resource, delta }: Growth, { metric, shift }: Symptom): number {
  if (resource !== 'cpu' || metric === null || shift === null || !metric.metric.endsWith('_percent'))
    return 1;
  if (metric.subject.kind !== 'host' || !isCpuLike(metric.metric)) return 1;
  return Math.max(0.05, Math.min(1, delta / Math.max(Math.abs(shift.delta) * 0.6, 1)));
}

/** The correlation over all bursts of the symptom, or over the investigated burst alone, whichever is stronger. */
function withSymptom(series: Series, { metric, startedAt, outlook, episode }: Symptom): number | null {
  if (metric === null) return null;
  const span = slice(series, Math.min(startedAt - HOUR_MS, outlook.to - 2 * HOUR_MS), outlook.to);
  const within = Math.max(2 * MINUTE_MS, 2 * stepOf(metric.history.times));
  const over = ({ times, values }: Series) =>
    correlation(
      values,
      Array.from(times, (time) => valueAt(metric.history, time, within)),
    );
  const whole = over(span);
  if (episode.from <= startedAt && episode.to >= outlook.to) return whole;
  const one = over(pick(span, (time) => time < startedAt || (time >= episode.from && time < episode.to)));
  return one === null || (whole !== null && whole > one) ? whole : one;
}

/** The first time, near the start of the symptom or later, at which a use had risen by half of its growth. */
function halfway(series: Series, symptom: Symptom, half: number, delta: number): number | null {
  if (delta <= 0) return null;
  const { times, values } = series;
  let at = firstAt(times, symptom.startedAt - AHEAD_MS);
  while (at < times.length && (values[at] as number) <= half) at += 1;
  while (at > 0 && (values[at - 1] as number) > half) at -= 1;
  return times[at] ?? null;
}

function pick(series: Series, wanted: (time: number) => boolean): Series {
  const kept = Array.from(series.times.keys()).filter((i) => wanted(series.times[i] as number));
  return {
    times: Float64Array.from(kept, (i) => series.times[i] as number),
    values: Float64Array.from(kept, (i) => series.values[i] as number),
  };
}

function head(series: Series, count: number): Series {
  return { times: series.times.subarray(0, count), values: series.values.subarray(0, count) };
}

function tail(series: Series, count: number): Series {
  const from = Math.max(0, series.times.length - count);
  return { times: series.times.subarray(from), values: series.values.subarray(from) };
}

/** The use of processor and memory by all processes or all containers, by name, from one pass over the snapshots. */
export function usesByName(
  snapshots: readonly SnapshotFacts[],
  kind: 'processes' | 'containers',
): Map<string, Record<Resource, Series>> {
  const times = Float64Array.from(snapshots, (snapshot) => snapshot.time);
  const uses = new Map<string, Record<Resource, Series>>();
  snapshots.forEach((snapshot, at) => {
    for (const use of snapshot[kind]) {
      let series = uses.get(use.name);
      if (series === undefined) {
        series = {
          cpu: { times, values: new Float64Array(times.length) },
          memory: { times, values: new Float64Array(times.length) },
        };
        uses.set(use.name, series);
      }
      series.cpu.values[at] = use.cpuPercent ?? 0;
      series.memory.values[at] = use.memory ?? 0;
    }
  });
  return uses;
}
