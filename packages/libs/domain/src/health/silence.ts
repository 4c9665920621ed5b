import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** A heartbeat arrives each second; a longer interval is time in which ingest was unavailable. */
const MAX_TICK_MS = 2_000;
/** Nobody is silent before this, however short its interval. */
export const MIN_SILENCE_MS = 3 * MINUTE_MS;
const INTERVALS_OF_A_SILENCE = 3;

/**
 * The pipeline's own clock, on which silence is measured. Heartbeats that came through the pipeline drive it, each
 * adding at most 2 s, so it stands still while ingest is closed, stopped, frozen or behind.
 * It begins at 0: a service that was not seen since the start counts as seen at 0, which grants a full period.
 */
export class PipelineClock {
  private elapsed = 0;
  private last: number | null = null;

  /** Pipeline time in ms. */
  get value(): number {
    return this.elapsed;
  }

  /** Takes a heartbeat's own time (ms since the epoch) and returns the pipeline time. */
  tick(at: number): number {
    if (this.last === null) {
      this.last = at;
      return this.elapsed;
    }
    const passed = at - this.last;
    // A heartbeat with a slightly earlier time is out of order; a much earlier time means that the clock was set back.
    if (passed < 0 && passed >= -MAX_TICK_MS) return this.elapsed;
    this.elapsed += Math.min(Math.max(passed, 0), MAX_TICK_MS);
    this.last = at;
    return this.elapsed;
  }
}

/** How long a service may be quiet before it counts as offline, in ms: max(3 × its usual interval, 3 minutes). */
export function maxSilenceMs(usualIntervalMs: number): number {
  return Math.max(INTERVALS_OF_A_SILENCE * usualIntervalMs, MIN_SILENCE_MS);
}

/** Payloads within less than this do not show when the next one is due. */
export const MIN_RHYTHM_MS = 30_000;

/**
 * Whether a host sends by a rhythm, so that its silence is unexpected: its usual interval is known, which takes three payloads
 * at different times, and they came over at least `MIN_RHYTHM_MS`. Receipts are ms by our clock, the interval is 0 where unknown.
 */
export function hasRhythm(firstReceivedAt: number, lastReceivedAt: number, usualIntervalMs: number): boolean {
  return usualIntervalMs > 0 && lastReceivedAt - firstReceivedAt >= MIN_RHYTHM_MS;
}

/** Whether a service is silent. Both times are pipeline times (`PipelineClock.value`), the interval is 0 where unknown. */
export function isSilent(now: number, lastSeen: number, usualIntervalMs: number): boolean {
  return now - lastSeen >= maxSilenceMs(usualIntervalMs);
}
