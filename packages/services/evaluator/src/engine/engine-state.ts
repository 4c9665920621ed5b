import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import { Turn } from '@tidewatch/store/event-loop/turn';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import { SilenceSet } from '@tidewatch/store/silences/silence-set';
import { endInstance } from '../evaluation/apply-verdict.ts';
import { Changes } from '../evaluation/changes.ts';
import { WORK_OF_A_STEP } from '../evaluation/evaluate-sample.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { Archiving } from '../health/archiving.ts';
import { DataWatch } from '../health/data-watch.ts';
import { SilenceWatch } from '../health/silence-watch.ts';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { EvaluatedService } from '../memory/evaluated-service.ts';
import { Ownership } from '../memory/ownership.ts';
import { ServiceMemory } from '../memory/service-memory.ts';
import type { Stream } from '../memory/stream.ts';
import type { Watched } from '../memory/watched.ts';
import { RuleIndex } from '../rules/rule-index.ts';
import { Maintenance } from '../silences/maintenance.ts';
import type { EngineOptions } from './engine-options.ts';
import { OrganizationWork } from './organization-work.ts';
import { WaitingValues } from './waiting-values.ts';

/** The state that the evaluator keeps in memory between transactions, with the changes of the current transaction. */
export class EngineState {
  readonly options: EngineOptions;
  readonly rules = new RuleIndex();
  readonly owned: Ownership;
  readonly services: ServiceMemory;
  readonly silence = new SilenceWatch();
  readonly data = new DataWatch();
  readonly archiving = new Archiving();
  readonly waiting = new WaitingValues();
  readonly silences = new SilenceSet();
  readonly maintenance = new Maintenance();
  readonly organizations: OrganizationWork;
  readonly turn = new Turn();
  /** Partitions for which the last heartbeat left evaluations of missing data to the next heartbeat. */
  readonly absenceLeft = new Set<number>();
  changes = new Changes();
  /** Number of evaluated requests. */
  requests = 0;

  constructor(options: EngineOptions) {
    this.options = options;
    this.owned = new Ownership(options.awaitsAssignment ?? false);
    this.organizations = new OrganizationWork(options);
    const listener = { compiled: this.#noteMaintenance, dropped: this.#endLater };
    this.services = new ServiceMemory(options, this.rules, this.owned, listener, this.turn);
  }

  /** Returns the inputs of an evaluation at the present time. */
  evaluation(): Evaluation {
    return {
      changes: this.changes,
      dirtyInstances: this.waiting.instances,
      newAlertId: this.#newAlertId,
      muting: this.#muting,
      endFormer: this.#endFormer,
      now: this.options.clock(),
    };
  }

  register(entry: ServiceEntry): void {
    const service = this.services.register(entry);
    if (service) this.changes.events.push({ kind: 'registered', service });
  }

  setOffline(service: EvaluatedService, offline: boolean): void {
    service.offline = offline;
    this.changes.services.add(service);
    this.changes.events.push({ kind: offline ? 'offline' : 'online', service });
  }

  /** Records the receipt of a host at `receivedAt` (ms), which ends its silence and its archiving. */
  recordReceipt(service: EvaluatedService, receivedAt: number): void {
    const isBack = this.silence.recordReceipt(this.#watchedOf(service), receivedAt);
    if (service.archivedAt !== null) {
      service.archivedAt = null;
      this.changes.archived.add(service);
    }
    if (isBack || service.offline) this.setOffline(service, false);
  }

  /** Treats the host as received now, although its payload waits, so that neither silence nor missing data is detected. */
  postpone(service: EvaluatedService): void {
    this.silence.postpone(service.serviceId);
    this.data.postpone(service.serviceId, this.silence.timeOf(this.#watchedOf(service).partition));
  }

  noteData = (service: EvaluatedService, stream: Stream): void => {
    const partition = this.owned.partitionOf(service.organizationId, service.host);
    this.data.note(service, stream, partition, this.silence.timeOf(partition));
  };

  /** Returns the services that belong to partitions of this evaluator. */
  ownedOf<T extends { org: string; host: string }>(services: readonly T[]): T[] {
    return services.filter(({ org, host }) => this.owned.owns(org, host));
  }

  async load(keys: readonly ServiceKey[]): Promise<void> {
    await this.services.load(keys);
  }

  /** Drops the state that a rollback makes invalid. */
  rolledBack(): void {
    this.organizations.clear();
    this.services.clear();
    this.waiting.clear();
    this.silence.rolledBack();
  }

  /** Drops the state of partitions that were assigned before. */
  clear(): void {
    this.organizations.clear();
    this.services.clear();
    this.waiting.clear();
    this.silence.clear();
    this.data.clear();
    this.maintenance.clear();
  }

  #watchedOf(service: EvaluatedService): Watched {
    const { watched, organizationId, serviceId, host } = service;
    if (watched !== null && !watched.forgotten) return watched;
    const partition = this.owned.partitionOf(organizationId, host);
    service.watched = this.silence.watchedOf(partition, organizationId, serviceId);
    return service.watched;
  }

  #newAlertId = (): string => this.options.newId('alr');

  #muting: Evaluation['muting'] = (service, alert) => this.silences.muting(service, alert);

  /** Notes that new tags of a host may begin or end its maintenance. */
  #noteMaintenance = (service: EvaluatedService): void => {
    const isStored = service.health.status === 'maintenance';
    if (this.silences.covers(service) !== isStored) this.changes.services.add(service);
  };

  #endLater = (instances: readonly AlertInstance[], resolution?: Resolution): void => {
    for (const instance of instances) {
      this.waiting.instances.delete(instance);
      if (instance.phase === null) continue;
      this.organizations.ending.add(instance, resolution ?? this.rules.endingOf(instance.rule.id));
    }
  };

  #endFormer = (instance: AlertInstance): void => {
    const former = this.organizations.ending.takeFormerOf(instance);
    if (former === undefined) return;
    this.changes.work += WORK_OF_A_STEP;
    endInstance(this.evaluation(), former.instance, former.resolution);
  };
}
