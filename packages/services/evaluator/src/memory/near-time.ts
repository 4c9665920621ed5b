/**
 * Times are kept as distances (ms) from this one: within three weeks they are small integers, which V8 stores without
 * allocation.
 */
const BASE = Math.floor(performance.timeOrigin);

/** Returns the time (ms) of a distance; null for null. */
export function timeOf(distance: number | null): number | null {
  return distance === null ? null : BASE + distance;
}

/** Returns the distance of a time; null without a time. The bitwise operation makes it a small integer for V8. */
export function distanceOf(time: number | null): number | null {
  if (time === null || time === Number.NEGATIVE_INFINITY) return null;
  const distance = time - BASE;
  return (distance | 0) === distance ? distance | 0 : distance;
}
