/**
 * Which payloads wait for the next one, so that they are sent in one request: a request costs the service more than the samples of a
 * payload. The sender gathers only from rest, so that nothing waits behind a request, after a refusal or with an older payload:
 *
 *   at rest ── payload ──▶ gathering ── enough, or the time is over, or flush ──▶ sending until the buffer is empty ──▶ at rest
 *   at rest ── payload, and none was accepted yet, or the interval is long ─────▶ sending
 */
export interface Gathering {
  /** The number of payloads that are sent in one request; 1 if none waits. */
  payloads: number;
  /** The max time that the first of them waits, ms. */
  waitMs: number;
}

/** Alerts are about what a host is now: no payload is sent later than this because of the next one, ms. */
const MAX_GATHERING_MS = 1_000;
/** How much longer the first waits if the next reading takes its time, ms. */
const SLOW_READING_MS = 500;

/** The payloads that an agent gathers which reads its host every `intervalMs`. */
export function gatheringAt(intervalMs: number): Gathering {
  const further = Math.floor(MAX_GATHERING_MS / intervalMs);
  return { payloads: 1 + further, waitMs: further === 0 ? 0 : further * intervalMs + SLOW_READING_MS };
}
