import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { deleteResolvedByHand, readResolvedByHand } from '@tidewatch/store/alerts/resolved-by-hand';
import { readDeletedServices, readWatchedServices } from '@tidewatch/store/health/read';
import type { Revisions } from '@tidewatch/store/revisions/revisions';
import { deleteClockSteps } from '@tidewatch/store/rule-states/clock-steps';
import { readServicesWithState, type ServiceKey } from '@tidewatch/store/rule-states/read';
import { dropResolved } from '../evaluation/drop-resolved.ts';
import { writeStoredHealth } from '../silences/write-stored-health.ts';
import type { EngineState } from './engine-state.ts';

/** How far back deletions of services are read when memory is reconciled, ms. */
const DELETIONS_SINCE_MS = DAY_MS;

/** Updates memory, at the beginning of each transaction, to what other processes have changed in the store. */
export class Reconciliation {
  readonly #state: EngineState;
  #isWatching = false;
  /** Changed rules whose alerts may have to end; null if there are none. */
  #changedRules: Set<string> | 'all' | null = null;
  /** Revisions that the current transaction has read. */
  #read: Revisions | undefined;
  #isResolvedByHandRead = false;
  /** The revisions up to which committed transactions have applied changes of the store. */
  #services: number | undefined;
  #resolvedByHand: number | undefined;

  constructor(state: EngineState) {
    this.#state = state;
  }

  /** Whether the state in memory already reflects these revisions of rules and silences. */
  isCurrent(revisions: Revisions): boolean {
    const { silences, maintenance, options } = this.#state;
    return (
      this.#changedRules === null &&
      this.#read?.rules === revisions.rules &&
      this.#services === revisions.services &&
      this.#resolvedByHand === revisions.resolved_by_hand &&
      silences.isCurrent(revisions.silences, options.clock()) &&
      maintenance.isIdle
    );
  }

  /** Applies changes of rules, silences, hosts and alerts. */
  async run(tx: Transaction, revisions: Revisions): Promise<void> {
    const { options, silence, silences, rules, data, owned } = this.#state;
    if (!this.#isWatching) {
      silence.watchAll(await readWatchedServices(options.sql), owned);
      this.#isWatching = true;
    }
    await silences.refresh(tx, revisions.silences, options.clock());
    this.#noteRules(await rules.refresh(tx, revisions.rules));
    await data.expect(tx, rules.watchingData, owned, (partition) => silence.timeOf(partition));
    if (this.#services !== revisions.services) await this.#endDeletedServices(tx);
    await this.#applyRules(tx);
    this.#isResolvedByHandRead =
      this.#resolvedByHand === revisions.resolved_by_hand || (await this.#dropResolvedByHand(tx));
    await this.#correctMaintenance(tx);
    this.#read = revisions;
  }

  committed(): void {
    this.#changedRules = null;
    this.#services = this.#read?.services;
    if (this.#isResolvedByHandRead) this.#resolvedByHand = this.#read?.resolved_by_hand;
    this.#state.maintenance.committed();
  }

  /** Searches again for alerts that have to end, as after a restart. */
  findEndingAgain(): void {
    this.#changedRules = 'all';
    this.#services = undefined;
  }

  /** Makes the next transaction apply all changes again, for newly assigned partitions. */
  clear(): void {
    this.findEndingAgain();
    this.#isWatching = false;
    this.#resolvedByHand = undefined;
  }

  #noteRules(changed: readonly string[] | 'all' | undefined): void {
    if (changed === 'all') this.#changedRules = 'all';
    else if (changed && this.#changedRules !== 'all')
      this.#changedRules = new Set([...(this.#changedRules ?? []), ...changed]);
  }

  async #applyRules(tx: Transaction): Promise<void> {
    if (this.#changedRules === null) return;
    const ids = this.#changedRules === 'all' ? null : [...this.#changedRules];
    const withState = this.#state.ownedOf(await readServicesWithState(tx, ids));
    await this.#state.services.load(withState, { onlyToReconcile: true });
  }

  async #endDeletedServices(tx: Transaction): Promise<void> {
    const { services, silence, data, turn, options } = this.#state;
    const deleted = this.#state.ownedOf(await readDeletedServices(tx, options.clock() - DELETIONS_SINCE_MS));
    await services.load(
      deleted.filter(({ hasState }) => hasState),
      { withDeleted: true },
    );
    await deleteClockSteps(tx, deleted);
    for (const { id } of deleted) {
      silence.forget(id);
      data.forget(id);
      const service = services.get(id);
      if (!service) continue;
      services.endInstances(service, 'service_deleted');
      services.delete(id);
      if (turn.isOver) await turn.yieldWhenDue();
    }
  }

  /**
   * Drops the states of alerts that users resolved. Returns false if another process may own the partitions by now, since
   * it will read the same rows.
   */
  async #dropResolvedByHand(tx: Transaction): Promise<boolean> {
    const { services, owned, turn } = this.#state;
    const alerts = this.#state.ownedOf(await readResolvedByHand(tx));
    if (alerts.length === 0) return true;
    if (!(await owned.hold(tx))) return false;
    await services.load([...new Map(alerts.map((alert) => [alert.id, alert])).values()]);
    for (const [id, own] of Map.groupBy(alerts, (alert) => alert.id)) {
      const service = services.get(id);
      const alertIds = new Set(own.map(({ alertId }) => alertId));
      if (service) dropResolved(this.#state.evaluation(), service, alertIds);
      if (turn.isOver) await turn.yieldWhenDue();
    }
    await deleteResolvedByHand(tx, alerts);
    return true;
  }

  /** Updates hosts whose maintenance begins or ends, which depends on the clock and not on requests. */
  async #correctMaintenance(tx: Transaction): Promise<void> {
    const { services, maintenance, silences, owned, changes, options } = this.#state;
    const notLoaded: ServiceKey[] = [];
    for (const key of await maintenance.take(tx, silences, owned)) {
      const service = services.get(key.id);
      if (service) changes.services.add(service);
      else notLoaded.push(key);
    }
    await writeStoredHealth(tx, notLoaded, silences, options.clock());
  }
}
