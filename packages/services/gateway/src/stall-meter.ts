import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

const EXPECTED_MS = 1_000;
const STALL_MS = 2_000;
const REMEMBERED_MS = MINUTE_MS;

/** Measures for how long this process was stalled recently: stopped, swapped out or blocked. */
export interface StallMeter {
  /** Must be called once a second. */
  tick(): void;
  /** For how many milliseconds the process was stalled within the last minute. */
  stalledMs(): number;
}

/** `monotonic` returns milliseconds of a monotonic clock. */
export function createStallMeter(monotonic: () => number): StallMeter {
  let lastTick = monotonic();
  let stalled = 0;
  let forgetAt = 0;

  // Measures the gap since the last tick. Also called by requests, which may be read after a stall before the timer fires.
  function look(): number {
    const now = monotonic();
    if (now >= forgetAt) stalled = 0;
    const gap = now - lastTick;
    if (gap > STALL_MS) {
      stalled += gap - EXPECTED_MS;
      forgetAt = now + REMEMBERED_MS;
      lastTick = now;
    }
    return now;
  }

  return {
    tick() {
      lastTick = look();
    },
    stalledMs() {
      look();
      return Math.round(stalled);
    },
  };
}
