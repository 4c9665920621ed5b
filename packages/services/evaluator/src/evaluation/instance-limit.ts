import type { Queryable } from '@tidewatch/store/database/connection';
import { readInstanceCounts } from '@tidewatch/store/rule-states/instance-counts';
import type { Changes } from './changes.ts';

/** What other evaluators begin and end is read this often, ms. */
const READ_EVERY_MS = 10_000;
/** From this part of the limit on an organization is shown. */
const NEAR = 0.8;

/**
 * How many alert instances of each organization are pending or active, against the limit. Of several evaluators each knows
 * what the others began as of ten seconds ago, so that together they may exceed the limit by what begins in that time.
 */
export class InstanceLimit {
  readonly limit: number;
  #counts = new Map<string, number>();
  /** What began in the transaction under way. */
  readonly #begun = new Map<string, number>();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Reads the counts where that was long ago; `now` in ms. Outside of transactions that begin or end instances. */
  async refresh(sql: Queryable, now: number): Promise<void> {
    const passed = now - this.#readAt;
    if (passed >= 0 && passed < READ_EVERY_MS) return;
    this.#counts = await readInstanceCounts(sql);
    this.#readAt = now;
  }

  /** How many may begin; nothing or less where the limit is reached. */
  roomOf(organizationId: string): number {
    return this.limit - (this.#counts.get(organizationId) ?? 0) - (this.#begun.get(organizationId) ?? 0);
  }

  /** So many began in the transaction under way. */
  began(organizationId: string, count: number): void {
    if (count > 0) this.#begun.set(organizationId, (this.#begun.get(organizationId) ?? 0) + count);
  }

  /** A transaction begins. */
  begin(): void {
    this.#begun.clear();
  }

  /** The transaction was committed. */
  committed({ ruleCounts }: Changes): void {
    this.#begun.clear();
    for (const { organizationId, pending, firing } of ruleCounts.values())
      this.#counts.set(organizationId, (this.#counts.get(organizationId) ?? 0) + pending + firing);
  }

  /** The organizations that have reached four fifths of the limit, with their instances. */
  near(): [organizationId: string, count: number][] {
    return [...this.#counts].filter(([, count]) => count >= NEAR * this.limit);
  }
}
