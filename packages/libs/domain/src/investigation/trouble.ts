import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** How long before an alert became pending the trouble may have begun, ms. */
const AHEAD_MS = 15 * MINUTE_MS;

/** The investigated time range, ms; `pendingSince` is null if no alert gives the start of the trouble. */
export interface Asked {
  readonly from: number;
  readonly to: number;
  readonly pendingSince: number | null;
}

/**
 * The earliest time at which the trouble may have begun, ms: a quarter of an hour before the alert became pending, but not
 * in the first half of the time before that. Without an alert, all of the window is in question.
 */
export function troubledFrom({ from, to, pendingSince }: Asked): number {
  if (pendingSince === null) return from;
  return Math.min(pendingSince - Math.min(AHEAD_MS, Math.max(0, pendingSince - from) / 2), to);
}
