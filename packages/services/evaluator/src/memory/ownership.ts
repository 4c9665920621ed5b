import type { Assignment } from '@tidewatch/bus/bus';
import { partitionOf } from '@tidewatch/contracts/ingest/partition';
import type { Transaction } from '@tidewatch/database/connection';

/** The partitions that this evaluator evaluates and may keep in memory. */
export class Ownership {
  #assignment: Assignment<Transaction>;
  #isAssigned = false;

  /** With `awaits`, the evaluator owns no partition before an assignment; otherwise it owns all. */
  constructor(awaits: boolean) {
    this.#assignment = { partitions: new Set(awaits ? [] : [0]), count: 1, hold: async () => true };
  }

  /** Whether the bus assigned partitions; it does not if writer and evaluator share transactions. */
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

  /** Locks the owned partitions until the transaction ends. Returns false if another process has taken them over. */
  async hold(tx: Transaction): Promise<boolean> {
    return this.#assignment.partitions.size > 0 && this.#assignment.hold(tx);
  }
}
