import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** A sample that was older than this on arrival is backfilled: its alert is recorded, but notifies no channel. */
export const BACKFILL_AGE_MS = 15 * MINUTE_MS;

/**
 * Whether a sample was more than 15 minutes old when the host sent it. `stalledMs` is how long ingest delayed the request,
 * `offsetMs` how far the host's clock is behind: both are subtracted from the age of the sample.
 */
export function isBackfilled(
  sampleTime: number,
  receivedAt: number,
  stalledMs: number,
  offsetMs: number,
): boolean {
  return receivedAt - stalledMs - sampleTime - offsetMs > BACKFILL_AGE_MS;
}
