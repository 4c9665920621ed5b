/** Once all organizations together have used this many shares, each gets only a part of a share. */
const WHOLE_SHARES = 4;
const PART = 1 / 10;

/**
 * Divides the work of one transaction (`Changes.work`) between organizations, so that none makes it long for the
 * others. Work beyond an organization’s share is done in later transactions.
 */
export class TransactionShares {
  readonly #share: number;
  readonly #used = new Map<string, number>();
  #total = 0;

  constructor(share: number) {
    this.#share = share;
  }

  /** Starts a transaction. */
  begin(): void {
    this.#used.clear();
    this.#total = 0;
  }

  /** Returns the remaining share of an organization; zero or less if it is used up. */
  leftTo(organizationId: string): number {
    const share = this.#total < WHOLE_SHARES * this.#share ? this.#share : this.#share * PART;
    return share - (this.#used.get(organizationId) ?? 0);
  }

  /** Adds work that an organization has used; infinite work uses up its share. */
  take(organizationId: string, work: number): void {
    if (work === 0) return;
    const used = this.#used.get(organizationId) ?? 0;
    this.#used.set(organizationId, used + work);
    this.#total += Math.min(work, Math.max(0, this.#share - used));
  }
}
