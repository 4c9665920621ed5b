/**
 * Times are kept as distances from here, ms: as small integers, which take no memory of their own, for three weeks in
 * both directions.
 */
const BASE = Math.floor(performance.timeOrigin);

/** The time (ms) of a distance, null for null. */
export function timeOf(distance: number | null): number | null {
  return distance === null ? null : BASE + distance;
}

/** Only what went through a bitwise operation is sure to be a small integer for V8; null where there is no time. */
export function distanceOf(time: number | null): number | null {
  if (time === null || time === Number.NEGATIVE_INFINITY) return null;
  const distance = time - BASE;
  return (distance | 0) === distance ? distance | 0 : distance;
}
