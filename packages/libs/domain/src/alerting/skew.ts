import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** A sample that is further in the future than this is stored, but neither evaluated nor used as a latest value. */
export const MAX_SKEW_MS = 5 * MINUTE_MS;

/** Whether a sample's time lies more than 5 minutes ahead of its arrival (both in ms). */
export function isSkewed(sampleTime: number, receivedAt: number): boolean {
  return sampleTime - receivedAt > MAX_SKEW_MS;
}

/** How many seconds a skewed sample is ahead of its arrival; null for a sample that is not skewed. */
export function skewSeconds(sampleTime: number, receivedAt: number): number | null {
  return isSkewed(sampleTime, receivedAt) ? (sampleTime - receivedAt) / 1_000 : null;
}
