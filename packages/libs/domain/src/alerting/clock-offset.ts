import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

const REQUESTS_KEPT = 10;
const AGREEMEnewestTime_MS = MINUTE_MS;
/**
 * The number of late requests that show a clock that was set back, if they arrive at the pace of their sample times;
 * requests of a queue that is drained arrive faster.
 */
const PACED_REQUESTS = 3;
/** Requests closer together than this say nothing about their pace. */
const PACE_MS = 1_000;
/** The max change of receipt time less sample time between two requests that keep pace with our clock. */
const PACE_TOLERANCE_MS = 2_000;
/** The max offset of the clock of a host, ahead or behind; a larger offset counts as a wrong clock. */
export const WRONG_CLOCK_MS = 2 * MINUTE_MS;

/**
 * How far a host's clock is behind ours: the median of receipt time less sample time of its last ten requests, if they
 * agree within a minute. A clock that was set back shows as late requests in a row, each newer than the one before: three
 * that keep pace with our clock, or ten that agree within a minute, suffice.
 */
export class ClockOffset {
  private readonly differences = new Array<number>(REQUESTS_KEPT);
  private count = 0;
  private oldest = 0;
  private known: number;
  private stale = false;
  /** The newest sample time before any late request, and when it was received: -Infinity if that was before a restart. */
  private newestEvaluated = Number.NEGATIVE_INFINITY;
  private newestReceivedAt = Number.NEGATIVE_INFINITY;
  /** The number of late requests in a row, how many of them kept pace with our clock, and the last one. */
  private late = 0;
  private paced = 0;
  private firstLateReceivedAt = Number.NEGATIVE_INFINITY;
  private lastTime = Number.NEGATIVE_INFINITY;
  private lastReceivedAt = Number.NEGATIVE_INFINITY;

  /** Starts without an offset, or with the offset from before a restart, which is used until there are ten requests. */
  constructor(restoredMs = 0) {
    this.known = restoredMs;
  }

  /** The offset in ms, positive where the host's clock is behind; 0 while it is not known. */
  get ms(): number {
    if (this.stale) {
      this.known = agreedMedian(this.differences) ?? 0;
      this.stale = false;
    }
    return this.known;
  }

  /** The newest sample time (ms) that is evaluated, by the present clock of the host; -Infinity before the first. */
  get newest(): number {
    return this.newestEvaluated;
  }

  /** Continues after a restart, before which samples were evaluated up to `newest` (ms). */
  continueFrom(newest: number): void {
    this.newestEvaluated = newest;
    this.newestReceivedAt = Number.NEGATIVE_INFINITY;
  }

  /**
   * Observes one request of the host: its receipt and its newest sample time, both ms. Returns 0, or if these requests show
   * that the clock was set back, by how many ms (below 0) earlier times of the host move. `isEvaluated` is false if the
   * samples are too far in the future to be evaluated.
   */
  observe(receivedAt: number, newestTime: number, isEvaluated = true): number {
    const difference = receivedAt - newestTime;
    this.differences[this.oldest] = difference;
    this.oldest = (this.oldest + 1) % REQUESTS_KEPT;
    if (this.count < REQUESTS_KEPT) this.count += 1;
    this.stale = this.count === REQUESTS_KEPT;
    if (newestTime < this.newestEvaluated) return this.#observeLate(receivedAt, newestTime);
    this.late = 0;
    if (!isEvaluated) return 0;
    this.newestEvaluated = newestTime;
    this.newestReceivedAt = receivedAt;
    return 0;
  }

  #observeLate(receivedAt: number, newestTime: number): number {
    // A payload that is resent does not show the offset of the clock.
    if (this.late > 0 && newestTime <= this.lastTime) return 0;
    const difference = receivedAt - newestTime;
    const passed = receivedAt - this.lastReceivedAt;
    const keepsPace =
      Math.abs(difference - (this.lastReceivedAt - this.lastTime)) <= PACE_TOLERANCE_MS && passed >= PACE_MS;
    this.paced = this.late > 0 && keepsPace ? this.paced + 1 : 1;
    if (this.late === 0) this.firstLateReceivedAt = receivedAt;
    this.late += 1;
    this.lastTime = newestTime;
    this.lastReceivedAt = receivedAt;
    let offset: number | null = null;
    if (this.paced >= PACED_REQUESTS) offset = difference;
    else if (this.late >= REQUESTS_KEPT) offset = agreedMedian(this.differences);
    if (offset === null) return 0;
    // Where it is not known when the newest sample was received, the first late request is taken to follow it directly.
    const wasBeforeRestart = this.newestReceivedAt === Number.NEGATIVE_INFINITY;
    const leftAt = wasBeforeRestart ? this.firstLateReceivedAt : this.newestReceivedAt;
    const step = leftAt - offset - this.newestEvaluated;
    this.differences.fill(offset);
    this.count = REQUESTS_KEPT;
    this.stale = true;
    this.newestEvaluated = newestTime;
    this.newestReceivedAt = receivedAt;
    this.late = 0;
    return Math.min(0, step);
  }
}

/** How far a host's clock is ahead of ours in seconds, negative if it is behind; null for less than 2 minutes. */
export function wrongClockSeconds(offsetMs: number): number | null {
  return Math.abs(offsetMs) > WRONG_CLOCK_MS ? -offsetMs / 1_000 : null;
}

/** Memory that every call reuses; typed arrays sort numbers without a comparator. */
const sorted = new Float64Array(REQUESTS_KEPT);

/** The median of differences if they agree within a minute, otherwise null. */
function agreedMedian(differences: readonly number[]): number | null {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const difference of differences) {
    if (difference < min) min = difference;
    if (difference > max) max = difference;
  }
  if (max - min > AGREEMEnewestTime_MS) return null;
  sorted.set(differences);
  sorted.sort();
  return ((sorted[REQUESTS_KEPT / 2 - 1] as number) + (sorted[REQUESTS_KEPT / 2] as number)) / 2;
}
