import type { Queryable } from '@tidewatch/database/connection';
import { readInstanceCounts } from '@tidewatch/store/rule-states/instance-counts';
import type { Changes } from './changes.ts';

/** Interval at which the counts are read from the store, since other evaluators change them too. */
const READ_EVERY_MS = 10_000;
/** An organization that uses at least this share of the limit is reported in metrics. */
const NEAR = 0.8;

/**
 * Compares the number of pending and active alert instances of each organization with the limit. Counts of other evaluators
 * are up to ten seconds old, so that the limit may be exceeded by what begins in that time.
 */
export class InstanceLimit {
  readonly limit: number;
  #counts = new Map<string, number>();
  /** Alert instances that began in the current transaction. */
  readonly #begun = new Map<string, number>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * Reads the counts from the store if they are out of date; `now` in ms. Must be called before anything begins or ends in
   * the transaction.
   */
  async refresh(sql: Queryable, now: number): Promise<void> {
    const passed = now - this.#readAt;
    if (passed >= 0 && passed < READ_EVERY_MS) return;
    this.#counts = await readInstanceCounts(sql);
    this.#readAt = now;
  }

  /** Returns how many alert instances may still begin; zero or less if the limit is reached. */
  roomOf(organizationId: string): number {
    return this.limit - (this.#counts.get(organizationId) ?? 0) - (this.#begun.get(organizationId) ?? 0);
  }

  /** Adds alert instances that began in the current transaction. */
  began(organizationId: string, count: number): void {
    if (count > 0) this.#begun.set(organizationId, (this.#begun.get(organizationId) ?? 0) + count);
  }

  /** Starts a transaction. */
  begin(): void {
    this.#begun.clear();
  }

  /** Adds to the counts what the committed transaction began and ended. */
  committed({ ruleCounts }: Changes): void {
    this.#begun.clear();
    for (const { organizationId, pending, firing } of ruleCounts.values())
      this.#counts.set(organizationId, (this.#counts.get(organizationId) ?? 0) + pending + firing);
  }

  /** Returns the organizations that use at least 80 % of the limit, with their counts. */
  near(): [organizationId: string, count: number][] {
    return [...this.#counts].filter(([, count]) => count >= NEAR * this.limit);
  }
}
