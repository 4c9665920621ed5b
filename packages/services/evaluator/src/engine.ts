import type { Assignment, Delivery } from '@tidewatch/bus/bus';
import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { ArchiveAfter } from '@tidewatch/domain/health/archiving';
import { deleteResolvedByHand, readResolvedByHand } from '@tidewatch/store/alerts/resolved-by-hand';
import type { Sql, Transaction } from '@tidewatch/store/database/connection';
import { Turn } from '@tidewatch/store/event-loop/turn';
import { type DeletedService, readDeletedServices, readWatchedServices } from '@tidewatch/store/health/read';
import type { Revisions } from '@tidewatch/store/revisions/revisions';
import { readServicesWithState, type ServiceKey } from '@tidewatch/store/rule-states/read';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import { SilenceSet } from '@tidewatch/store/silences/silence-set';
import { endInstance } from './evaluation/apply-verdict.ts';
import { Changes } from './evaluation/changes.ts';
import { dropResolved } from './evaluation/drop-resolved.ts';
import { EndingInstances } from './evaluation/ending-instances.ts';
import { evaluateRequest, type RequestEvaluation } from './evaluation/evaluate-request.ts';
import { WORK_OF_A_STEP } from './evaluation/evaluate-sample.ts';
import type { Evaluation, Origin } from './evaluation/evaluation.ts';
import { InstanceLimit } from './evaluation/instance-limit.ts';
import { PayloadProgress } from './evaluation/payload-progress.ts';
import { splitRequest } from './evaluation/split-request.ts';
import { TransactionShares } from './evaluation/transaction-shares.ts';
import { evaluateAbsence } from './health/absence.ts';
import { Archiving } from './health/archiving.ts';
import { DataWatch } from './health/data-watch.ts';
import { SilenceWatch, type Watched } from './health/silence-watch.ts';
import type { AlertInstance } from './memory/alert-instance.ts';
import type { EvaluatedService } from './memory/evaluated-service.ts';
import { Ownership } from './memory/ownership.ts';
import { type MemoryListener, ServiceMemory } from './memory/service-memory.ts';
import type { Stream } from './memory/stream.ts';
import { RuleIndex } from './rules/rule-index.ts';
import { Maintenance } from './silences/maintenance.ts';
import { writeStoredHealth } from './silences/write-stored-health.ts';
import { WaitingValues } from './waiting-values.ts';
import { writeChanges } from './write-changes.ts';

/** How a record came, and when it was taken up (ms). */
export type DeliveredAt = Pick<Delivery<unknown>, 'topic' | 'partition' | 'offset' | 'publishedAt'> & {
  consumedAt: number;
};

export interface EngineOptions {
  directory: ServiceDirectory;
  sql: Sql;
  /** Milliseconds since the epoch. */
  clock: () => number;
  /** How long services may be offline before they are archived. */
  archiveAfter: ArchiveAfter;
  /** Where people reach the product, without a slash at the end; null leaves links out of events. */
  publicUrl: string | null;
  newId: (prefix: 'alr' | 'evt') => string;
  /** Whether others evaluate too, so that nothing is evaluated before the bus says what is ours. Default false. */
  awaitsAssignment?: boolean;
  /** Alert instances of one organization that take a step in one transaction; the rest follows in later ones. Default 500. */
  alertsAtOnce?: number;
  /** Alert instances of one organization that are pending or active; beyond it samples begin no further ones. Default no limit. */
  alertInstancesLimit?: number;
}

const DEFAULT_ALERTS_AT_ONCE = 500;
/** Deletions that this process may have missed while it held the service. */
const DELETIONS_SINCE_MS = 86_400_000;

/**
 * Everything that is remembered between transactions. Memory changes in place while a transaction runs; if that is
 * rolled back, memory is dropped as a whole and read again, service by service, when next needed. One caller at a time.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #rules = new RuleIndex();
  readonly #services: ServiceMemory;
  readonly #owned: Ownership;
  readonly #silence = new SilenceWatch();
  readonly #data = new DataWatch();
  readonly #archiving = new Archiving();
  readonly #waiting = new WaitingValues();
  readonly #silences = new SilenceSet();
  readonly #maintenance = new Maintenance();
  #changes = new Changes();
  #watching = false;
  #unreconciled: Set<string> | 'all' | null = null;
  #servicesRevision: number | undefined;
  #byHandRevision: number | undefined;
  #resolvedByHandDropped = false;
  #seen: Revisions | undefined;
  #request = 0;
  readonly #turn = new Turn();
  readonly #alertsAtOnce: number;
  readonly #shares: TransactionShares;
  readonly #ending = new EndingInstances();
  readonly #instanceLimit: InstanceLimit;
  /** Partitions of which the next heartbeat evaluates what the last one left. */
  readonly #absenceLeft = new Set<number>();
  #progress = new PayloadProgress();
  /** Of what is left of requests, how far the payload is evaluated that evaluating stopped in. */
  #stopped = new WeakMap<SampleBatch, PayloadProgress>();

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#alertsAtOnce = options.alertsAtOnce ?? DEFAULT_ALERTS_AT_ONCE;
    this.#instanceLimit = new InstanceLimit(options.alertInstancesLimit ?? Number.POSITIVE_INFINITY);
    this.#shares = new TransactionShares(this.#alertsAtOnce * WORK_OF_A_STEP);
    this.#owned = new Ownership(options.awaitsAssignment ?? false);
    const listener: MemoryListener = {
      compiled: this.#noteMaintenance,
      dropped: (instances, resolution) => {
        for (const instance of instances) {
          this.#waiting.instances.delete(instance);
          if (instance.phase !== null)
            this.#ending.add(instance, resolution ?? this.#rules.endingOf(instance.rule.id));
        }
      },
    };
    this.#services = new ServiceMemory(options, this.#rules, this.#owned, listener, this.#turn);
  }

  get held() {
    return { rules: this.#rules.size, services: this.#services.size, waiting: this.#waiting.instances.size };
  }

  /** The limit of alert instances, and the organizations that near it. */
  get instanceLimit(): Pick<InstanceLimit, 'limit' | 'near'> {
    return this.#instanceLimit;
  }

  /** What the transaction under way changes so far. */
  get changes(): Changes {
    return this.#changes;
  }

  /** From now on these partitions are ours: whatever memory holds of any service may be out of date. */
  assign(assignment: Assignment<Transaction>): void {
    this.#owned.take(assignment);
    this.#ending.clear();
    this.#stopped = new WeakMap();
    this.#services.clear();
    this.#waiting.clear();
    this.#silence.clear();
    this.#data.clear();
    this.#watching = false;
    this.#unreconciled = 'all';
    this.#servicesRevision = undefined;
    this.#byHandRevision = undefined;
    this.#maintenance.clear();
  }

  /** For a transaction without samples, which the bus does not fence: false once the partitions are somebody else's. */
  async hold(tx: Transaction): Promise<boolean> {
    return this.#owned.hold(tx);
  }

  /** Whether a transaction without samples has anything to do. */
  isIdle(revisions: Revisions): boolean {
    const known =
      this.#unreconciled === null &&
      this.#seen?.rules === revisions.rules &&
      this.#servicesRevision === revisions.services &&
      this.#byHandRevision === revisions.resolved_by_hand;
    const now = this.#options.clock();
    const silent = this.#silences.isCurrent(revisions.silences, now) && this.#maintenance.isIdle;
    return known && silent && this.#ending.isEmpty && !this.#waiting.isOverdue(now);
  }

  /** Whether a further transaction is needed for what is left of many alerts, or of many services in maintenance. */
  get isLeft(): boolean {
    return !this.#ending.isEmpty || this.#maintenance.isLeft;
  }

  /** The first thing in each transaction: what became of rules, silences, services and alerts since the last. */
  async prepare(tx: Transaction, revisions: Revisions): Promise<void> {
    const { sql, clock } = this.#options;
    this.#changes = new Changes();
    this.#turn.begin();
    this.#shares.begin();
    this.#instanceLimit.begin();
    await this.#instanceLimit.refresh(sql, clock());
    if (!this.#watching) {
      this.#silence.watchAll(await readWatchedServices(sql), this.#owned);
      this.#watching = true;
    }
    await this.#silences.refresh(tx, revisions.silences, clock());
    const changed = await this.#rules.refresh(tx, revisions.rules);
    if (changed === 'all') this.#unreconciled = 'all';
    else if (changed && this.#unreconciled !== 'all')
      this.#unreconciled = new Set([...(this.#unreconciled ?? []), ...changed]);
    await this.#data.expect(tx, this.#rules.watchingData, this.#owned, (partition) =>
      this.#silence.timeOf(partition),
    );
    if (this.#servicesRevision !== revisions.services) {
      const deleted = await readDeletedServices(tx, clock() - DELETIONS_SINCE_MS);
      await this.#endServices(deleted.filter(({ org, host }) => this.#owned.owns(org, host)));
    }
    if (this.#unreconciled !== null) {
      const ids = this.#unreconciled === 'all' ? null : [...this.#unreconciled];
      const withState = await readServicesWithState(tx, ids);
      const mine = withState.filter(({ org, host }) => this.#owned.owns(org, host));
      await this.#services.load(mine, { onlyToReconcile: true });
    }
    this.#resolvedByHandDropped =
      this.#byHandRevision === revisions.resolved_by_hand || (await this.#dropResolvedByHand(tx));
    await this.#putMaintenanceRight(tx);
    this.#seen = revisions;
  }

  /** Brings the services of requests into memory, all at once; before any of these is judged. */
  async load(tx: Transaction, requests: readonly SampleBatch[]): Promise<void> {
    const { directory } = this.#options;
    await directory.ensure(tx, requests);
    const missing = this.#services.assign(requests);
    if (missing.length === 0) return;
    const stored: ServiceEntry[] = [];
    for (const entry of missing) {
      if (entry.isNew) this.#register(entry);
      else stored.push(entry);
    }
    if (stored.length > 0) {
      const keys = stored.map((entry) => ({ org: entry.organizationId, id: entry.serviceId }));
      const deleted = await this.#services.load(keys, { coming: requests });
      for (const entry of stored) if (!deleted.has(entry.serviceId)) this.#register(entry);
    }
    this.#services.assign(requests);
  }

  /**
   * Evaluates one request's payloads; `delivery` is how it came. Null once all are evaluated; otherwise what was done of it, null
   * for nothing, and what is left because its organization has had its share of the transaction.
   */
  async evaluate(
    request: SampleBatch,
    delivery: DeliveredAt,
  ): Promise<{ done: SampleBatch | null; rest: SampleBatch } | null> {
    const { organizationId } = request;
    const shares = this.#shares;
    const share = shares.leftTo(organizationId);
    if (share <= 0) {
      this.#postpone(request);
      return { done: null, rest: request };
    }
    const changes = this.#changes;
    const before = changes.work;
    const progress = this.#stopped.get(request) ?? this.#progress;
    this.#request += 1;
    const room = this.#instanceLimit.roomOf(organizationId);
    const evaluation: RequestEvaluation = {
      ...this.#evaluation(),
      endAt: before + share,
      progress,
      origin: this.#originOf(request, delivery),
      rules: this.#rules,
      services: await this.#services.of(request),
      request: this.#request,
      epoch: this.#waiting.epoch,
      noteActivity: this.#waiting.note,
      noteData: this.#noteData,
      turn: this.#turn,
      sinceClockCheck: 0,
      room,
    };
    const { received, left } = await evaluateRequest(evaluation, request);
    this.#instanceLimit.began(organizationId, room - evaluation.room);
    for (const service of received) {
      const back = this.#silence.recordReceipt(this.#watchedOf(service), request.receivedAt);
      if (service.archivedAt !== null) {
        service.archivedAt = null;
        this.#changes.archived.add(service);
      }
      if (back || service.offline) this.#setOffline(service, false);
    }
    shares.take(organizationId, left.length === 0 ? changes.work - before : Number.POSITIVE_INFINITY);
    if (left.length === 0) return null;
    this.#postpone(request, left);
    const parts = splitRequest(request, left);
    this.#stopped.set(parts.rest, progress);
    if (progress === this.#progress) this.#progress = new PayloadProgress();
    return parts;
  }

  /** Moves a partition's clock; hosts of it that were silent for too long go offline. */
  async heartbeat(partition: number, at: number): Promise<void> {
    const before = this.#silence.timeOf(partition);
    const silent = this.#silence.tick(partition, at, this.#alertsAtOnce);
    await this.#services.load(silent);
    for (const { id } of silent) {
      const service = this.#services.get(id);
      if (!service) this.#silence.forget(id);
      else if (!service.offline) this.#setOffline(service, true);
    }
    const context = {
      rules: this.#rules,
      silence: this.#silence,
      data: this.#data,
      service: (id: string) => this.#services.get(id),
      load: async (keys: readonly ServiceKey[]) => {
        await this.#services.load(keys);
      },
      evaluation: () => this.#evaluation(),
      alertsAtOnce: this.#alertsAtOnce,
      turn: this.#turn,
      isLeft: this.#absenceLeft.has(partition),
    };
    if (await evaluateAbsence(context, partition, before, at)) this.#absenceLeft.add(partition);
    else this.#absenceLeft.delete(partition);
    await this.#archive();
  }

  /** The last thing in each transaction: writes what changed. */
  async finish(tx: Transaction): Promise<void> {
    const now = this.#options.clock();
    for (const { instance, resolution } of this.#ending.take(this.#alertsAtOnce))
      endInstance(this.#evaluation(), instance, resolution);
    const evaluated = await this.#waiting.take(this.#evaluation(), this.#turn);
    await writeChanges(tx, this.#changes, {
      newEventId: () => this.#options.newId('evt'),
      publicUrl: this.#options.publicUrl,
      now,
      usualIntervalMs: (id) => this.#silence.usualIntervalMs(id),
      isSilenced: (service) => this.#silences.covers(service),
      evaluated,
      turn: this.#turn,
    });
  }

  /** Stores everything that still waits, by as many transactions as it takes. */
  async flushNow(transaction: () => Promise<void>): Promise<void> {
    for (let before = Number.POSITIVE_INFINITY; this.#waiting.size > 0 && this.#waiting.size < before; ) {
      before = this.#waiting.size;
      this.#waiting.makeDue();
      await transaction();
    }
  }

  /** Forgets the transaction's changes too: a storm's may be large. */
  committed(): void {
    this.#instanceLimit.committed(this.#changes);
    this.#changes = new Changes();
    this.#services.release();
    this.#silence.committed();
    this.#ending.committed();
    this.#unreconciled = null;
    this.#servicesRevision = this.#seen?.services;
    if (this.#resolvedByHandDropped) this.#byHandRevision = this.#seen?.resolved_by_hand;
    this.#maintenance.committed();
  }

  rolledBack(): void {
    if (!this.#ending.isSettled) {
      // What was to be ended is found again, as after a restart.
      this.#unreconciled = 'all';
      this.#servicesRevision = undefined;
    }
    this.#ending.clear();
    this.#stopped = new WeakMap();
    this.#progress = new PayloadProgress();
    this.#services.clear();
    this.#waiting.clear();
    this.#silence.rolledBack();
  }

  /** Hosts whose payloads came and wait for their turn are not silent meanwhile, nor are their data missing; `places` are those of payloads, all by default. */
  #postpone(request: SampleBatch, places: Iterable<number> = request.payloads.keys()): void {
    const services = this.#services.servicesOf(request);
    for (const place of places) {
      const service = services[place] ?? null;
      if (service === null) continue;
      this.#silence.postpone(service.serviceId);
      this.#data.postpone(service.serviceId, this.#silence.timeOf(this.#watchedOf(service).partition));
    }
  }

  #watchedOf(service: EvaluatedService): Watched {
    const { watched, organizationId, serviceId, host } = service;
    if (watched !== null && !watched.forgotten) return watched;
    const partition = this.#owned.partitionOf(organizationId, host);
    service.watched = this.#silence.watchedOf(partition, organizationId, serviceId);
    return service.watched;
  }

  #evaluation(): Evaluation {
    const { clock, newId } = this.#options;
    return {
      changes: this.#changes,
      dirtyInstances: this.#waiting.instances,
      newAlertId: () => newId('alr'),
      muting: (service, alert) => this.#silences.muting(service, alert),
      endFormer: this.#endFormer,
      now: clock(),
    };
  }

  /** Where the bus assigns no partitions it keeps no log. */
  #originOf({ receivedAt }: SampleBatch, delivery: DeliveredAt): Origin {
    const { topic, partition, offset, publishedAt, consumedAt } = delivery;
    const place = this.#owned.isAssigned ? { topic, partition, offset: String(offset) } : null;
    return { receivedAt, publishedAt, consumedAt, place };
  }

  /** Maintenance begins and ends by the clock, whether or not anything is heard of a host. */
  async #putMaintenanceRight(tx: Transaction): Promise<void> {
    const keys = await this.#maintenance.take(tx, this.#silences, this.#owned);
    const notLoaded: ServiceKey[] = [];
    for (const key of keys) {
      const service = this.#services.get(key.id);
      if (service) this.#changes.services.add(service);
      else notLoaded.push(key);
    }
    await writeStoredHealth(tx, notLoaded, this.#silences, this.#options.clock());
  }

  /**
   * Ends the states of alerts that somebody resolved. Each is done with once, so false where what is ours may be
   * somebody else's by now: he is told by the same rows.
   */
  async #dropResolvedByHand(tx: Transaction): Promise<boolean> {
    const alerts = (await readResolvedByHand(tx)).filter(({ org, host }) => this.#owned.owns(org, host));
    if (alerts.length === 0) return true;
    if (!(await this.#owned.hold(tx))) return false;
    await this.#services.load([...new Map(alerts.map((alert) => [alert.id, alert])).values()]);
    for (const [id, own] of Map.groupBy(alerts, (alert) => alert.id)) {
      const service = this.#services.get(id);
      if (service) dropResolved(this.#evaluation(), service, new Set(own.map(({ alertId }) => alertId)));
      if (this.#turn.isOver) await this.#turn.give();
    }
    await deleteResolvedByHand(tx, alerts);
    return true;
  }

  /** Takes services out of sight that have been offline for very long; looks for them now and then. */
  async #archive(): Promise<void> {
    const { archiveAfter, clock, sql } = this.#options;
    const now = clock();
    const due = await this.#archiving.due(sql, archiveAfter, this.#silence, now);
    await this.#services.load(due);
    for (const { id } of due) {
      const service = this.#services.get(id);
      if (!service?.offline) continue;
      service.archivedAt = now;
      this.#changes.archived.add(service);
      this.#changes.events.push({ kind: 'archived', service });
      this.#services.endInstances(service, 'service_archived');
      // Whoever is out of sight is neither silent nor missed, until it is heard again.
      this.#silence.forget(id);
      this.#data.forget(id);
    }
  }

  #endFormer = (instance: AlertInstance): void => {
    const former = this.#ending.takeFormerOf(instance);
    if (former === undefined) return;
    this.#changes.work += WORK_OF_A_STEP;
    endInstance(this.#evaluation(), former.instance, former.resolution);
  };

  #register(entry: ServiceEntry): void {
    const service = this.#services.register(entry);
    if (service) this.#changes.events.push({ kind: 'registered', service });
  }

  async #endServices(deleted: readonly DeletedService[]): Promise<void> {
    await this.#services.load(
      deleted.filter(({ hasState }) => hasState),
      { withDeleted: true },
    );
    for (const { id } of deleted) {
      this.#silence.forget(id);
      this.#data.forget(id);
      const service = this.#services.get(id);
      if (!service) continue;
      this.#services.endInstances(service, 'service_deleted');
      this.#services.delete(id);
      if (this.#turn.isOver) await this.#turn.give();
    }
  }

  /** With its tags a host may come under a silence, or leave it. */
  #noteMaintenance = (service: EvaluatedService): void => {
    const shown = service.health.status === 'maintenance';
    if (this.#silences.covers(service) !== shown) this.#changes.services.add(service);
  };

  #setOffline(service: EvaluatedService, offline: boolean): void {
    service.offline = offline;
    this.#changes.services.add(service);
    this.#changes.events.push({ kind: offline ? 'offline' : 'online', service });
  }

  #noteData = (service: EvaluatedService, stream: Stream): void => {
    const partition = this.#owned.partitionOf(service.organizationId, service.host);
    this.#data.note(service, stream, partition, this.#silence.timeOf(partition));
  };
}
