const REQUESTS_KEPT = 10;
const AGREEMENT_MS = 60_000;

/**
 * How far a host's clock lies behind ours: the median of receipt less timestamp of its last ten requests,
 * known only while these agree within a minute. A queue that a host empties is not taken for a wrong clock.
 */
export class ClockOffset {
  private readonly differences = new Array<number>(REQUESTS_KEPT);
  private count = 0;
  private oldest = 0;
  private known: number;
  private stale = false;

  /** Begins with nothing known, or with the offset known before a restart until ten requests were seen again. */
  constructor(restoredMs = 0) {
    this.known = restoredMs;
  }

  /** The offset in ms, positive where the host's clock is behind; 0 while it is not known. */
  get ms(): number {
    if (this.stale) {
      this.known = agreedMedian(this.differences);
      this.stale = false;
    }
    return this.known;
  }

  /** Takes one request of the host: when it was received and the newest time that it carries, both in ms. */
  observe(receivedAt: number, newestTime: number): void {
    this.differences[this.oldest] = receivedAt - newestTime;
    this.oldest = (this.oldest + 1) % REQUESTS_KEPT;
    if (this.count < REQUESTS_KEPT) this.count += 1;
    this.stale = this.count === REQUESTS_KEPT;
  }
}

/** Used by one call at a time. Numbers in here are sorted without a comparison of ours. */
const sorted = new Float64Array(REQUESTS_KEPT);

function agreedMedian(differences: readonly number[]): number {
  sorted.set(differences);
  sorted.sort();
  if ((sorted[REQUESTS_KEPT - 1] as number) - (sorted[0] as number) > AGREEMENT_MS) return 0;
  return ((sorted[REQUESTS_KEPT / 2 - 1] as number) + (sorted[REQUESTS_KEPT / 2] as number)) / 2;
}
