import type { Series } from '../facts.ts';

export interface Line {
  /** Units a ms. */
  readonly slope: number;
  /** The value of the line at `time`, ms. */
  at(time: number): number;
  /** The share of the variance that the line explains, 0 to 1. */
  readonly fit: number;
}

/** Fits a least-squares line to a series; null for fewer than three points. */
export function fitLine(series: Series): Line | null {
  const { times, values } = series;
  const n = times.length;
  if (n < 3) return null;
  const origin = times[0] as number;
  let t = 0;
  let v = 0;
  for (let i = 0; i < n; i++) {
    t += (times[i] as number) - origin;
    v += values[i] as number;
  }
  const meanT = t / n;
  const meanV = v / n;
  let tt = 0;
  let tv = 0;
  let vv = 0;
  for (let i = 0; i < n; i++) {
    const dt = (times[i] as number) - origin - meanT;
    const dv = (values[i] as number) - meanV;
    tt += dt * dt;
    tv += dt * dv;
    vv += dv * dv;
  }
  if (tt === 0) return null;
  const slope = tv / tt;
  return {
    slope,
    at: (time) => meanV + slope * (time - origin - meanT),
    fit: vv > 0 ? (tv * tv) / (tt * vv) : 0,
  };
}

/**
 * Finds when a constant series began to rise or fall steadily: the joint of "level, then line" with the smallest squared
 * residuals among `joints` equal steps (segmented regression; Hudson, JASA 1966). Null if that does not halve the residuals
 * of a constant level.
 */
export function findHinge(
  series: Series,
  joints: number,
): { readonly at: number; readonly slope: number } | null {
  const { times, values } = series;
  const n = times.length;
  if (n < 8) return null;
  let level = 0;
  for (const value of values) level += value;
  level /= n;
  let least = 0;
  for (const value of values) least += (value - level) ** 2;
  least /= 2;
  let best: { at: number; slope: number } | null = null;
  for (let joint = 1; joint < joints; joint++) {
    const at = times[Math.floor((n * joint) / joints)] as number;
    let x = 0;
    let y = 0;
    let xx = 0;
    let xy = 0;
    let yy = 0;
    for (let i = 0; i < n; i++) {
      const dx = Math.max(0, (times[i] as number) - at);
      const dy = (values[i] as number) - level;
      x += dx;
      y += dy;
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
    const sxx = xx - (x * x) / n;
    const sxy = xy - (x * y) / n;
    if (sxx <= 0) continue;
    const left = yy - (y * y) / n - (sxy * sxy) / sxx;
    if (left < least) {
      least = left;
      best = { at, slope: sxy / sxx };
    }
  }
  return best;
}
