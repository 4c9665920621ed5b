import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** A sample that was older than this on arrival is backfilled: its alert is recorded, but notifies no channel. */
export const BACKFILL_AGE_MS = 15 * MINUTE_MS;

/**
 * Whether a sample was more than 15 minutes old when the host handed it over.
 * `stalledMs` is how long ingest itself kept the request waiting, `offsetMs` how far the host's clock is behind
 * (`ClockOffset.ms`): neither our own delay nor a wrong clock makes a sample old.
 */
export function isBackfilled(
  sampleTime: number,
  receivedAt: number,
  stalledMs: number,
  offsetMs: number,
): boolean {
  return receivedAt - stalledMs - sampleTime - offsetMs > BACKFILL_AGE_MS;
}
