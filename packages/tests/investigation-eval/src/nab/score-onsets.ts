import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { LabelledSeries } from './recording.ts';

/** The first part of a series, from which detectors learn what is usual; onsets in it do not count. */
const LEARNING = 0.15;

export interface OnsetScore {
  readonly found: number;
  readonly windows: number;
  readonly falseOnsets: number;
}

/**
 * Scores the onsets of a series: those less than an hour apart count once; one inside a window finds it, one outside of all
 * windows is false.
 */
export function scoreOnsets({ series, windows }: LabelledSeries, onsets: readonly number[]): OnsetScore {
  const { times } = series;
  const begin = times[Math.floor(times.length * LEARNING)] ?? 0;
  const distinct: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const onset of onsets.filter((time) => time >= begin).toSorted((a, b) => a - b)) {
    if (onset - last >= HOUR_MS) distinct.push(onset);
    last = onset;
  }
  const inside = (onset: number, [from, to]: readonly [number, number]) => onset >= from && onset <= to;
  return {
    found: windows.filter((window) => distinct.some((onset) => inside(onset, window))).length,
    windows: windows.length,
    falseOnsets: distinct.filter((onset) => !windows.some((window) => inside(onset, window))).length,
  };
}
