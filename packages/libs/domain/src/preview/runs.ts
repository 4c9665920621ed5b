import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { type Hour, QUIET } from './stretches.ts';

/** Hours without a gap between them of which none is quiet: `[from, to)`, ms. */
export interface Run {
  from: number;
  to: number;
}

/**
 * The runs of hours that are not quiet, in order. Of samples evaluated as they are, by rules that do not keep firing, the last
 * hour before a run and the next one that holds anything after it are all the quiet hours that matter to `stretchesOf`.
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
