export interface CurvePoint {
  /** Milliseconds since the epoch. */
  t: number;
  value: number;
}

/** What a curve covers, ms; points that are further apart than two steps are not joined. */
export interface CurveRange {
  from: number;
  to: number;
  stepMs: number;
}

const WIDTH = 120;
const TOP = 2;
const BOTTOM = 26;

/** A path in a box of 120 × 28 over the whole range, from 0 to the highest value: a gap interrupts it, and a point alone is a dot. */
export function curvePath(points: readonly CurvePoint[], { from, to, stepMs }: CurveRange): string {
  const highest = Math.max(0, ...points.map(({ value }) => value)) || 1;
  const place = ({ t, value }: CurvePoint) =>
    `${(((t - from) / (to - from)) * WIDTH).toFixed(1)} ${(BOTTOM - (Math.max(value, 0) / highest) * (BOTTOM - TOP)).toFixed(1)}`;
  const isJoined = (index: number) => {
    const [former, point] = [points[index - 1], points[index]];
    return former !== undefined && point !== undefined && point.t - former.t <= 2 * stepMs;
  };
  return points
    .map((point, index) => {
      if (isJoined(index)) return `L${place(point)}`;
      return isJoined(index + 1) ? `M${place(point)}` : `M${place(point)}h.01`;
    })
    .join('');
}
