import type { Series } from '../facts.ts';

/** The minimum number of points at which both series have a number. */
const FEWEST = 6;
/** A lead is used only if it improves the correlation by this, since neighbouring leads give similar values. */
const EQUAL = 0.02;

/**
 * Pearson's correlation over the points at which both series have a number; null for fewer than six points or a constant
 * series.
 */
export function correlation(xs: ArrayLike<number>, ys: ArrayLike<number>): number | null {
  let n = 0;
  let x = 0;
  let y = 0;
  const length = Math.min(xs.length, ys.length);
  for (let i = 0; i < length; i++) {
    if (Number.isNaN((xs[i] as number) + (ys[i] as number))) continue;
    n += 1;
    x += xs[i] as number;
    y += ys[i] as number;
  }
  if (n < FEWEST) return null;
  const meanX = x / n;
  const meanY = y / n;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < length; i++) {
    const dx = (xs[i] as number) - meanX;
    const dy = (ys[i] as number) - meanY;
    if (Number.isNaN(dx + dy)) continue;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  const scale = Math.sqrt(xx * yy);
  return scale > 1e-12 ? Math.max(-1, Math.min(1, xy / scale)) : null;
}

export interface LaggedCorrelation {
  readonly r: number;
  /** The time by which `other` precedes `symptom`, in ms; negative if `other` follows. */
  readonly leadMs: number;
}

/**
 * The lag of at most `most` steps at which two series correlate most: the cross-correlation function (Box and Jenkins,
 * 1970) on points at most half a step apart. Lag 0 is preferred unless another lag is better by 0.02. Null for too few
 * points.
 */
export function laggedCorrelation(
  symptom: Series,
  other: Series,
  stepMs: number,
  most: number,
): LaggedCorrelation | null {
  const aligned = new Float64Array(symptom.times.length + 2 * most).fill(Number.NaN);
  const origin = (symptom.times[0] ?? 0) - most * stepMs;
  for (let i = 0; i < other.times.length; i++) {
    const at = Math.round(((other.times[i] as number) - origin) / stepMs);
    if (at >= 0 && at < aligned.length) aligned[at] = other.values[i] as number;
  }
  const slots = Array.from(symptom.times, (time) => Math.round((time - origin) / stepMs));
  const at = (lead: number): LaggedCorrelation | null => {
    const r = correlation(
      symptom.values,
      slots.map((slot) => aligned[slot - lead] ?? Number.NaN),
    );
    return r === null ? null : { r, leadMs: lead * stepMs };
  };
  const together = at(0);
  let best = together;
  for (let lead = -most; lead <= most; lead++) {
    const other = at(lead);
    if (other !== null && (best === null || Math.abs(other.r) > Math.abs(best.r))) best = other;
  }
  return together !== null && best !== null && Math.abs(best.r) < Math.abs(together.r) + EQUAL
    ? together
    : best;
}
