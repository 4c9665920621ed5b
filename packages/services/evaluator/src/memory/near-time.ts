/**
 * Times are kept as distances (ms) from this time: within three weeks of it they are small integers, which V8 stores
 * without allocation.
 */
const BASE = Math.floor(performance.timeOrigin);

/** Converts a distance from `BASE` to a time (ms); null to null. */
export function timeOf(distance: number | null): number | null {
  return distance === null ? null : BASE + distance;
}

/**
 * Converts a time (ms) to its distance from `BASE`; null to null. The bitwise operation makes it a small integer for V8.
 */
export function distanceOf(time: number | null): number | null {
  if (time === null || time === Number.NEGATIVE_INFINITY) return null;
  const distance = time - BASE;
  return (distance | 0) === distance ? distance | 0 : distance;
}
