import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** The minimum number of samples from which a level is computed. */
const MIN_SAMPLES = 2;

/** The investigated time range, ms; `pendingSince` is null if no alert gives the start of the trouble. */
export interface Asked {
  readonly from: number;
  readonly to: number;
  readonly pendingSince: number | null;
  /** The usual interval of samples. */
  readonly intervalMs: number;
}

/**
 * The start of the part of the window, `[troubledFrom, to)`, whose level is compared with the usual one: the minute in
 * which the alert became pending, and at least two samples. Without an alert, or if it has been pending for long, it is the
 * middle of the window.
 */
export function troubledFrom({ from, to, pendingSince, intervalMs }: Asked): number {
  const half = Math.floor((from + to) / 2);
  if (pendingSince === null) return half;
  const noticed = Math.floor(pendingSince / MINUTE_MS) * MINUTE_MS;
  const enough = to - MIN_SAMPLES * Math.max(intervalMs, MINUTE_MS);
  return Math.max(half, Math.min(noticed, enough));
}
