import { DAY_MS } from '@tidewatch/contracts/time/duration';

/** How many of the last intervals the median uses; an odd number, so that the median is one of them. */
const INTERVALS_KEPT = 9;
/** The minimum number of intervals from which a usual interval is computed. */
const MIN_INTERVALS = 2;
/** No interval counts for more than a day, so that a backfill of single days does not hide a silence for weeks. */
const MAX_INTERVAL_MS = DAY_MS;

/**
 * The usual time between two samples of one stream: the lower median of its last nine intervals. Read `ms` before you
 * observe a sample that is evaluated, so that the gap before this sample does not change the usual interval.
 */
export class UsualInterval {
  /** The time of the newest sample observed; null before the first. */
  lastTime: number | null;
  /** Allocated at full length because a growing array reserves room for sixteen, and each host has two of these. */
  private readonly intervals = new Array<number>(INTERVALS_KEPT);
  private count = 0;
  private oldest = 0;
  private median: number;
  private stale = false;

  /** Starts empty, or with the interval from before a restart until enough intervals are observed again. */
  constructor(restored?: { ms: number; lastTime: number | null }) {
    this.median = restored?.ms ?? 0;
    this.lastTime = restored?.lastTime ?? null;
  }

  /** The median in ms; 0 while it is not known. */
  get ms(): number {
    if (this.stale) {
      this.median = lowerMedian(this.intervals, this.count);
      this.stale = false;
    }
    return this.median;
  }

  /** Observes the time of a sample, ms; ignores a sample that is not newer than the last one. */
  observe(time: number): void {
    const last = this.lastTime;
    if (last !== null && time <= last) return;
    this.lastTime = time;
    if (last === null) return;
    const interval = Math.min(time - last, MAX_INTERVAL_MS);
    const { intervals, oldest } = this;
    const replaced = intervals[oldest];
    intervals[oldest] = interval;
    this.oldest = (oldest + 1) % INTERVALS_KEPT;
    if (this.count < INTERVALS_KEPT) this.count += 1;
    else if (replaced === interval) return;
    this.stale = this.count >= MIN_INTERVALS;
  }
}

/**
 * The lower median of the first `count` numbers, found by counting: for so few numbers that is faster than sorting a copy.
 */
function lowerMedian(numbers: readonly number[], count: number): number {
  const rank = (count - 1) >> 1;
  for (let i = 0; i < count; i += 1) {
    const candidate = numbers[i] as number;
    let below = 0;
    let equal = 0;
    for (let j = 0; j < count; j += 1) {
      if ((numbers[j] as number) < candidate) below += 1;
      else if (numbers[j] === candidate) equal += 1;
    }
    if (below <= rank && rank < below + equal) return candidate;
  }
  return 0;
}
