import { comparisonOf, type Limits } from '@tidewatch/domain/rules/comparison';
import type { ChartPoint } from './gaps.ts';
import type { Range } from './range.ts';

/** Replaces the end of a line by newer points, and drops what lies before `from`. Both are in order. */
export function mergePoints(
  former: readonly ChartPoint[],
  newer: readonly ChartPoint[],
  from: number,
): ChartPoint[] {
  const first = newer[0]?.t ?? Number.POSITIVE_INFINITY;
  return [...former.filter(({ t }) => t < first), ...newer].filter(({ t }) => t >= from);
}

/** The point nearest to a time; its index, or -1 without points. */
export function nearestIndex(points: readonly { t: number }[], at: number): number {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle]?.t ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  const before = points[low - 1];
  const after = points[low];
  if (before !== undefined && after !== undefined && at - before.t < after.t - at) return low - 1;
  return after === undefined ? low - 1 : low;
}

/** A condition that is marked where values breach it. */
export interface Breachable<Mark> {
  limits: Limits;
  mark: Mark;
}

/** The times during which the mean, min or max of a line breaches limits, each with the first mark that holds. */
export function breachedSpans<Mark>(
  points: readonly ChartPoint[],
  worstFirst: readonly Breachable<Mark>[],
  stepMs: number,
): { span: Range; mark: Mark }[] {
  const tests = worstFirst.map(({ limits, mark }) => {
    const { low, high, outside } = comparisonOf(limits);
    const holds = (value: number) => (value >= low && value <= high) !== outside;
    return { mark, holds: ({ avg, min, max }: ChartPoint) => holds(avg) || holds(min) || holds(max) };
  });
  const spans: { span: Range; mark: Mark }[] = [];
  for (const point of points) {
    const mark = tests.find(({ holds }) => holds(point))?.mark;
    if (mark === undefined) continue;
    const last = spans.at(-1);
    if (last !== undefined && last.mark === mark && point.t - last.span.to <= stepMs / 2)
      last.span.to = point.t + stepMs;
    else spans.push({ span: { from: point.t, to: point.t + stepMs }, mark });
  }
  return spans;
}
