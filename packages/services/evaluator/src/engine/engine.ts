import type { Assignment } from '@tidewatch/bus/bus';
import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { Transaction } from '@tidewatch/database/connection';
import type { Revisions } from '@tidewatch/store/revisions/revisions';
import { Changes } from '../evaluation/changes.ts';
import type { InstanceLimit } from '../evaluation/instance-limit.ts';
import type { EngineOptions } from './engine-options.ts';
import { EngineState } from './engine-state.ts';
import { EvaluationTransaction } from './evaluation-transaction.ts';
import { Reconciliation } from './reconciliation.ts';

/**
 * Evaluates samples in transactions, one at a time: `begin`, then `evaluate` and `heartbeat` of the returned transaction,
 * `write`, and `committed` of its result, or `rolledBack` after a failure. Memory changes during a transaction; a rollback
 * drops it, and hosts are loaded again when needed.
 */
export class Engine {
  readonly #state: EngineState;
  readonly #reconciliation: Reconciliation;

  constructor(options: EngineOptions) {
    this.#state = new EngineState(options);
    this.#reconciliation = new Reconciliation(this.#state);
  }

  /** The numbers of rules, hosts and values waiting to be stored, in memory. */
  get held() {
    const { rules, services, waiting } = this.#state;
    return { rules: rules.size, services: services.size, waiting: waiting.instances.size };
  }

  get instanceLimit(): Pick<InstanceLimit, 'limit' | 'near'> {
    return this.#state.organizations.limit;
  }

  /** Takes over partitions, and drops all hosts from memory, since their state may be out of date. */
  assign(assignment: Assignment<Transaction>): void {
    this.#state.owned.take(assignment);
    this.#state.clear();
    this.#reconciliation.clear();
  }

  /**
   * Locks the partitions for a transaction whose offsets the bus does not check. Returns false if another process owns
   * them.
   */
  async hold(tx: Transaction): Promise<boolean> {
    return this.#state.owned.hold(tx);
  }

  /** Whether a transaction without records has nothing to do. */
  isIdle(revisions: Revisions): boolean {
    const { organizations, waiting, options } = this.#state;
    return (
      this.#reconciliation.isCurrent(revisions) &&
      organizations.ending.isEmpty &&
      !waiting.isOverdue(options.clock())
    );
  }

  /** Whether ending alerts or hosts in maintenance are left for another transaction. */
  get hasMore(): boolean {
    return !this.#state.organizations.ending.isEmpty || this.#state.maintenance.isLeft;
  }

  /** The interval of ticks, ms, by which the values of an alert storm are stored while no records arrive; Infinity without one. */
  get stormEveryMs(): number {
    return this.#state.waiting.stormEveryMs;
  }

  /** Begins a transaction: applies changes of rules, silences, hosts and alerts, and loads the hosts of `requests`. */
  async begin(
    tx: Transaction,
    revisions: Revisions,
    requests: readonly SampleBatch[] = [],
  ): Promise<EvaluationTransaction> {
    const state = this.#state;
    state.changes = new Changes();
    state.turn.begin();
    await state.organizations.begin(state.options.sql, state.options.clock());
    await this.#reconciliation.run(tx, revisions);
    return EvaluationTransaction.begin(state, tx, requests, this.#committed);
  }

  rolledBack(): void {
    if (!this.#state.organizations.ending.isSettled) this.#reconciliation.findEndingAgain();
    this.#state.rolledBack();
  }

  /** Stores all values that wait to be stored, in as many transactions as necessary. */
  async flushNow(transaction: () => Promise<void>): Promise<void> {
    const { waiting } = this.#state;
    for (let before = Number.POSITIVE_INFINITY; waiting.size > 0 && waiting.size < before; ) {
      before = waiting.size;
      waiting.makeDue();
      await transaction();
    }
  }

  #committed = (): void => {
    const { organizations, services, silence, changes } = this.#state;
    organizations.committed(changes);
    // Releases the changes of the committed transaction, which are large in an alert storm.
    this.#state.changes = new Changes();
    services.release();
    silence.committed();
    this.#reconciliation.committed();
  };
}
