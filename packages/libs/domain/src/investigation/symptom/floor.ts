/** The minimum spread of a metric as a share of its level; for percentages, a part of a point. */
const FLOOR_SHARE = 0.01;
const FLOOR_PERCENT = 0.5;

/** The minimum spread of a metric at this level, because values that hardly move have a spread near zero. */
export function floorOf(metric: string, level: number): number {
  return Math.max(FLOOR_SHARE * Math.abs(level), metric.endsWith('_percent') ? FLOOR_PERCENT : 0, 1e-9);
}
