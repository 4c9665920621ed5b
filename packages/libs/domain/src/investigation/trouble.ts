import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** The minimum number of samples from which a level is computed. */
const MIN_SAMPLES = 2;

/** The time range that a question is about, ms; `pendingSince` is null if no alert gives the time of the trouble. */
export interface Asked {
  readonly from: number;
  readonly to: number;
  readonly pendingSince: number | null;
  /** The usual interval of samples. */
  readonly intervalMs: number;
}

/**
 * The part of the window, `[troubledFrom, to)`, whose level shows how far a metric left what is usual: since the alert is
 * pending, to the minute before, and at least two samples. Without an alert, and where one is pending for long, it is the second half of the
 * window. An alert is asked about in its first minutes, of which half an hour of window would leave next to nothing.
 */
export function troubledFrom({ from, to, pendingSince, intervalMs }: Asked): number {
  const half = Math.floor((from + to) / 2);
  if (pendingSince === null) return half;
  const noticed = Math.floor(pendingSince / MINUTE_MS) * MINUTE_MS;
  const enough = to - MIN_SAMPLES * Math.max(intervalMs, MINUTE_MS);
  return Math.max(half, Math.min(noticed, enough));
}
