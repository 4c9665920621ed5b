import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

const EXPECTED_MS = 1_000;
const STALL_MS = 2_000;
const REMEMBERED_MS = MINUTE_MS;

/** Measures for how long the process itself was stalled recently: stopped, swapped out or blocked. */
export interface StallMeter {
  /** To be called once a second. */
  tick(): void;
  /** Milliseconds that the process was stalled within the last minute; 0 where it was not. */
  stalledMs(): number;
}

/** `monotonic` returns milliseconds of a monotonic clock. */
export function createStallMeter(monotonic: () => number): StallMeter {
  let lastTick = monotonic();
  let stalled = 0;
  let forgetAt = 0;

  // After a stall, requests may be read before the timer fires, so they measure the gap too.
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
