/** A point of a sparkline: the minute within the last hour, 0 to 59, and the value in percent. */
export interface SparkPoint {
  minute: number;
  value: number;
}

/** A path in a box of 60 × 20: minutes without samples interrupt the line, and a single minute is a dot. */
export function sparkPath(points: readonly SparkPoint[]): string {
  let path = '';
  let last = Number.NEGATIVE_INFINITY;
  for (const [place, { minute, value }] of points.entries()) {
    const y = (19 - (Math.min(Math.max(value, 0), 100) * 18) / 100).toFixed(1);
    const isJoined = minute - last <= 1.5;
    const hasNext = (points[place + 1]?.minute ?? Number.POSITIVE_INFINITY) - minute <= 1.5;
    if (isJoined) path += `L${minute} ${y}`;
    else path += hasNext ? `M${minute} ${y}` : `M${minute} ${y}h.01`;
    last = minute;
  }
  return path;
}
