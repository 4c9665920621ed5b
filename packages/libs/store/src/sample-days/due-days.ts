import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { CLOSES_AFTER_MS } from './closed-days.ts';
import type { EndedDay } from './ended-days.ts';

/** How much later than others a day is closed that is empty, or whose samples still come, ms. */
const MAX_DELAY_MS = DAY_MS;

/**
 * Chooses the days to close among those that have ended: late samples of a closed day rewrite it with each seal, so a day is closed once
 * its samples have stopped coming, and an empty one, to which an agent or a replay may yet send, a day later. Keeps in memory what it saw.
 */
export class DueDays {
  readonly #quietMs: number;
  /** What was written to each open day when that last changed, and when it was noticed, ms. */
  #seen = new Map<number, { written: number; since: number }>();

  /** `quietMs`: how long nothing was written to a day that is closed. */
  constructor(quietMs: number) {
    this.#quietMs = quietMs;
  }

  /** The days (starts in ms) to close, in the order of `ended`. To be called with all of them, again and again. */
  of(ended: readonly EndedDay[], now: number): number[] {
    const seen = new Map<number, { written: number; since: number }>();
    for (const { day, written } of ended) {
      const before = this.#seen.get(day);
      seen.set(day, before?.written === written ? before : { written, since: now });
    }
    this.#seen = seen;
    return ended
      .filter(({ day, isBegun, isEmpty }) => {
        if (isBegun || day + DAY_MS + CLOSES_AFTER_MS + MAX_DELAY_MS <= now) return true;
        return !isEmpty && (seen.get(day)?.since as number) + this.#quietMs <= now;
      })
      .map(({ day }) => day);
  }
}
