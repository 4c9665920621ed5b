import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { type Hour, QUIET } from './stretches.ts';

/** A run of hours without a gap of which none is quiet: `[from, to)`, ms. */
export interface Run {
  from: number;
  to: number;
}

/**
 * The runs of hours that are not quiet, in order. For rules that evaluate plain samples and do not keep firing,
 * `stretchesOf` needs only these and, of the quiet hours, the last one before and the first one after each run.
 */
export function runsOf(hours: readonly Hour[]): Run[] {
  const runs: Run[] = [];
  for (const { start, loudness } of hours) {
    if (loudness === QUIET) continue;
    const last = runs.at(-1);
    if (last?.to === start) last.to = start + HOUR_MS;
    else runs.push({ from: start, to: start + HOUR_MS });
  }
  return runs;
}
