/** So many shares are used up by all organizations before each gets only a part of its own. */
const WHOLE_SHARES = 4;
const PART = 1 / 10;

/**
 * What each organization may use of one transaction, as `Changes.work` counts it, so that none makes it long for the
 * others. Of many that use much at once each gets a part of its share, and its rest in later transactions.
 */
export class TransactionShares {
  readonly #share: number;
  readonly #used = new Map<string, number>();
  #total = 0;

  constructor(share: number) {
    this.#share = share;
  }

  /** A transaction begins. */
  begin(): void {
    this.#used.clear();
    this.#total = 0;
  }

  /** What is left to an organization; nothing or less once its share is used up. */
  leftTo(organizationId: string): number {
    const share = this.#total < WHOLE_SHARES * this.#share ? this.#share : this.#share * PART;
    return share - (this.#used.get(organizationId) ?? 0);
  }

  /** Infinite work uses up what is left. */
  take(organizationId: string, work: number): void {
    if (work === 0) return;
    const used = this.#used.get(organizationId) ?? 0;
    this.#used.set(organizationId, used + work);
    this.#total += Math.min(work, Math.max(0, this.#share - used));
  }
}
