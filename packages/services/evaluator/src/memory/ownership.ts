import type { Assignment } from '@tidewatch/bus/bus';
import { partitionOf } from '@tidewatch/contracts/ingest/partition';
import type { Transaction } from '@tidewatch/store/database/connection';

/** Whose samples come to this evaluator: what it may evaluate, and of whom it may keep anything in memory. */
export class Ownership {
  #assignment: Assignment<Transaction>;
  #isAssigned = false;

  /** `awaits` where nothing is ours before it is assigned; else everything is. */
  constructor(awaits: boolean) {
    this.#assignment = { partitions: new Set(awaits ? [] : [0]), count: 1, hold: async () => true };
  }

  /** Whether partitions were assigned at all, which they are not where the writer shares our transactions. */
  get isAssigned(): boolean {
    return this.#isAssigned;
  }

  take(assignment: Assignment<Transaction>): void {
    this.#assignment = assignment;
    this.#isAssigned = true;
  }

  partitionOf(organizationId: string, host: string): number {
    return partitionOf(organizationId, host, this.#assignment.count);
  }

  owns(organizationId: string, host: string): boolean {
    return this.#assignment.partitions.has(this.partitionOf(organizationId, host));
  }

  /** Keeps what is owned until the transaction ends. False where somebody else has taken it over. */
  async hold(tx: Transaction): Promise<boolean> {
    return this.#assignment.partitions.size > 0 && this.#assignment.hold(tx);
  }
}
