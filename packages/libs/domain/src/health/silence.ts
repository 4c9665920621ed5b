import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/**
 * The max time that one heartbeat adds to the pipeline clock: heartbeats arrive each second, and in a longer interval
 * ingest was unavailable.
 */
const MAX_TICK_MS = 2_000;
/** The min time without payloads after which a host is silent, however short its usual interval is. */
export const MIN_SILENCE_MS = 3 * MINUTE_MS;
const INTERVALS_OF_A_SILENCE = 3;

/**
 * The clock on which silence is measured. It advances with the heartbeats that pass through the pipeline, by at most 2 s
 * each, so it stands still while ingest is closed, stopped or behind. It starts at 0, and so does the last-seen time of
 * every service, which gives each host a full period after a restart.
 */
export class PipelineClock {
  private elapsed = 0;
  private last: number | null = null;

  /** Pipeline time in ms. */
  get value(): number {
    return this.elapsed;
  }

  /** Advances the clock by a heartbeat that was sent at `at` (ms since the epoch), and returns the pipeline time. */
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

/** Payloads that all arrive within less than this do not show a host's usual interval. */
export const MIN_RHYTHM_MS = 30_000;

/**
 * Whether a host has a rhythm, so that its silence is unexpected: three payloads at different times, received over at least
 * `MIN_RHYTHM_MS`, have shown its usual interval (0 if unknown).
 */
export function hasRhythm(firstReceivedAt: number, lastReceivedAt: number, usualIntervalMs: number): boolean {
  return usualIntervalMs > 0 && lastReceivedAt - firstReceivedAt >= MIN_RHYTHM_MS;
}

/**
 * Whether a service is silent. `now` and `lastSeen` are pipeline times (`PipelineClock.value`); the interval is 0 if
 * unknown.
 */
export function isSilent(now: number, lastSeen: number, usualIntervalMs: number): boolean {
  return now - lastSeen >= maxSilenceMs(usualIntervalMs);
}
