/** A plot of values over time in a box of that size. */
export interface Scale {
  x: (time: number) => number;
  y: (value: number) => number;
  valueAt: (y: number) => number;
  max: number;
}

/** Percentages from 0 to 100, other units from 0 or the least value to a tenth above the greatest. */
export function scaleOf(
  box: { width: number; height: number },
  times: { from: number; to: number },
  values: readonly number[],
  isPercent: boolean,
): Scale {
  const low = isPercent ? 0 : Math.min(0, ...values);
  const top = Math.max(...values, low);
  const max = isPercent ? Math.max(100, top) : top + (top - low || 1) / 10;
  return {
    max,
    x: (time) => ((time - times.from) / (times.to - times.from)) * box.width,
    y: (value) => box.height - ((value - low) / (max - low)) * box.height,
    valueAt: (y) => low + ((box.height - y) / box.height) * (max - low),
  };
}

/** A line through points; more than 2.5 steps between two interrupt it, and a single point is a dot. */
export function linePath(
  times: readonly number[],
  values: readonly number[],
  stepMs: number,
  { x, y }: Pick<Scale, 'x' | 'y'>,
): string {
  let path = '';
  let last = Number.NEGATIVE_INFINITY;
  for (const [place, time] of times.entries()) {
    const point = `${x(time).toFixed(1)} ${y(values[place] as number).toFixed(1)}`;
    const isJoined = time - last <= 2.5 * stepMs;
    const isAlone = !isJoined && (times[place + 1] ?? Number.POSITIVE_INFINITY) - time > 2.5 * stepMs;
    path += isJoined ? `L${point}` : `M${point}${isAlone ? 'h.01' : ''}`;
    last = time;
  }
  return path;
}

/** A number with as many digits as a hand can set. */
export function roundedThreshold(value: number): number {
  return Number(value.toPrecision(Math.abs(value) >= 1_000 ? 4 : 3));
}
