import type { Range } from './range.ts';

/** One step of a line: its start and the mean, min and max of its samples. */
export interface ChartPoint {
  /** Start of the step, ms since the epoch. */
  t: number;
  avg: number;
  min: number;
  max: number;
  /** Samples in the step; for a line over many hosts, unknown. */
  count?: number;
}

/** How far apart neighbouring points of one line may be, and still be joined. */
export interface Spacing {
  stepMs: number;
  /** The usual time between payloads of the host, ms; null until it is known, and for many hosts. */
  intervalMs: number | null;
}

const MAX_STEPS = 1.5;
const MAX_INTERVALS = 2.5;

/** The largest distance of joined points, ms. Jitter of the interval stays below it, an outage does not. */
export function maxJoinMs({ stepMs, intervalMs }: Spacing): number {
  return Math.max(MAX_STEPS * stepMs, MAX_INTERVALS * (intervalMs ?? 0));
}

/** The runs of points that are joined, as indexes `[first, last]`. A run of one is drawn as a dot. */
export function segmentsOf(points: readonly { t: number }[], spacing: Spacing): [number, number][] {
  const segments: [number, number][] = [];
  const max = maxJoinMs(spacing);
  let first = 0;
  for (let index = 1; index <= points.length; index += 1) {
    const former = points[index - 1];
    const point = points[index];
    if (former !== undefined && point !== undefined && point.t - former.t <= max) continue;
    if (former !== undefined) segments.push([first, index - 1]);
    first = index;
  }
  return segments;
}

/** The times between two runs, from the end of the last step before to the next point. */
export function gapsOf(points: readonly { t: number }[], spacing: Spacing): Range[] {
  const segments = segmentsOf(points, spacing);
  return segments.slice(1).map(([next], index) => ({
    from: (points[segments[index]?.[1] ?? 0]?.t ?? 0) + spacing.stepMs,
    to: points[next]?.t ?? 0,
  }));
}

/**
 * The time since the last point that has no data though it should, up to `now`; undefined where the next sample may still
 * be under way, or the range ends before.
 */
export function silenceAfter(
  points: readonly { t: number }[],
  { stepMs, intervalMs }: Spacing,
  { to }: Range,
  now: number,
): Range | undefined {
  const last = points.at(-1);
  if (last === undefined) return undefined;
  // Samples of the last step may be as late as its end.
  const from = last.t + Math.min(stepMs, Math.max(now - last.t, 0));
  const end = Math.min(now, to);
  const patience = MAX_INTERVALS * (intervalMs ?? stepMs);
  return end - from > patience ? { from, to: end } : undefined;
}
