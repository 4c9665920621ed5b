import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { Transaction } from '@tidewatch/database/connection';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import { endInstance } from '../evaluation/apply-verdict.ts';
import type { Changes } from '../evaluation/changes.ts';
import {
  type EvaluatedRequest,
  evaluateRequest,
  type RequestEvaluation,
} from '../evaluation/evaluate-request.ts';
import type { Origin } from '../evaluation/evaluation.ts';
import { evaluateAbsence } from '../health/absence.ts';
import type { DeliveredAt } from './engine-options.ts';
import type { EngineState } from './engine-state.ts';
import type { SplitRequest } from './organization-work.ts';
import { writeChanges } from './write-changes.ts';

/** A transaction whose changes are written. */
export interface WrittenTransaction {
  readonly changes: Changes;
  /** Must be called after the database has committed. */
  committed(): void;
}

/**
 * One transaction of the evaluator, as `Engine.begin` returns it: evaluates the given requests and heartbeats in the order
 * of the log, then writes all changes. If anything throws, the caller rolls back and calls `Engine.rolledBack`.
 */
export class EvaluationTransaction {
  readonly #state: EngineState;
  readonly #tx: Transaction;
  readonly #committed: () => void;

  private constructor(state: EngineState, tx: Transaction, committed: () => void) {
    this.#state = state;
    this.#tx = tx;
    this.#committed = committed;
  }

  /** Loads the hosts of all requests; requests that are not given here may not be evaluated. */
  static async begin(
    state: EngineState,
    tx: Transaction,
    requests: readonly SampleBatch[],
    committed: () => void,
  ): Promise<EvaluationTransaction> {
    const transaction = new EvaluationTransaction(state, tx, committed);
    if (requests.length > 0) await transaction.#load(requests);
    return transaction;
  }

  /**
   * Evaluates the payloads of a request, which was consumed at `consumedAt` (ms). Returns null if all are evaluated; otherwise the
   * evaluated payloads and the remaining ones, since the organization has used up its share. Returns a promise
   * only if it has to wait.
   */
  evaluate(
    request: SampleBatch,
    delivery: DeliveredAt,
    consumedAt: number,
  ): SplitRequest | null | Promise<SplitRequest | null> {
    const { organizations, services } = this.#state;
    const share = organizations.leftTo(request.organizationId);
    if (share <= 0) {
      this.#postpone(request, request.payloads.keys());
      return { done: null, rest: request };
    }
    const before = this.#state.changes.work;
    const evaluation = this.#evaluationOf(
      request,
      this.#originOf(request, delivery, consumedAt),
      before + share,
    );
    const { room } = evaluation;
    const updating = services.update(request);
    const evaluating =
      updating === undefined
        ? evaluateRequest(evaluation, request)
        : updating.then(() => evaluateRequest(evaluation, request));
    return evaluating instanceof Promise
      ? evaluating.then((evaluated) => this.#record(request, evaluation, evaluated, before, room))
      : this.#record(request, evaluation, evaluating, before, room);
  }

  #evaluationOf(request: SampleBatch, origin: Origin, endAt: number): RequestEvaluation {
    const state = this.#state;
    const { organizations, waiting } = state;
    const { changes, dirtyInstances, newAlertId, muting, endFormer, now } = state.evaluation();
    state.requests += 1;
    return {
      changes,
      dirtyInstances,
      newAlertId,
      muting,
      endFormer,
      now,
      endAt,
      progress: organizations.progressOf(request),
      origin,
      rules: state.rules,
      services: state.services.servicesOf(request),
      request: state.requests,
      epoch: waiting.epoch,
      noteActivity: waiting.note,
      noteData: state.noteData,
      turn: state.turn,
      sinceClockCheck: 0,
      room: organizations.limit.roomOf(request.organizationId),
    };
  }

  /** Records what the evaluation of a request used, and keeps what it left. */
  #record(
    request: SampleBatch,
    evaluation: RequestEvaluation,
    { received, left }: EvaluatedRequest,
    before: number,
    room: number,
  ): SplitRequest | null {
    const { organizations, changes } = this.#state;
    organizations.limit.began(request.organizationId, room - evaluation.room);
    for (const service of received) this.#state.recordReceipt(service, request.receivedAt);
    if (left.length === 0) {
      organizations.finish(request, changes.work - before);
      return null;
    }
    this.#postpone(request, left);
    return organizations.stop(request, left, evaluation.progress);
  }

  /** Advances a partition’s clock: turns hosts offline that have been silent for too long, evaluates missing data. */
  async heartbeat(partition: number, at: number): Promise<void> {
    const state = this.#state;
    const { silence, services, organizations, absenceLeft } = state;
    const before = silence.timeOf(partition);
    const silent = silence.tick(partition, at, organizations.alertsAtOnce);
    await services.load(silent);
    for (const { id } of silent) {
      const service = services.get(id);
      if (!service) silence.forget(id);
      else if (!service.offline) state.setOffline(service, true);
    }
    const context = {
      rules: state.rules,
      silence,
      data: state.data,
      service: (id: string) => services.get(id),
      load: state.load.bind(state),
      evaluation: () => state.evaluation(),
      alertsAtOnce: organizations.alertsAtOnce,
      turn: state.turn,
      isLeft: absenceLeft.has(partition),
    };
    if (await evaluateAbsence(context, partition, before, at)) absenceLeft.add(partition);
    else absenceLeft.delete(partition);
    await this.#archive();
  }

  /** Writes all changes of the transaction. */
  async write(): Promise<WrittenTransaction> {
    const { options, organizations, waiting, silence, silences, changes, turn } = this.#state;
    const now = options.clock();
    for (const { instance, resolution } of organizations.ending.take(organizations.alertsAtOnce))
      endInstance(this.#state.evaluation(), instance, resolution);
    const evaluated = await waiting.take(this.#state.evaluation(), turn);
    await writeChanges(this.#tx, changes, {
      newEventId: () => options.newId('evt'),
      publicUrl: options.publicUrl,
      now,
      usualIntervalMs: (id) => silence.usualIntervalMs(id),
      isSilenced: (service) => silences.covers(service),
      evaluated,
      turn,
    });
    return { changes, committed: this.#committed };
  }

  async #load(requests: readonly SampleBatch[]): Promise<void> {
    const { options, services } = this.#state;
    await options.directory.ensure(this.#tx, requests);
    const missing = services.assign(requests);
    if (missing.length === 0) return;
    const stored: ServiceEntry[] = [];
    for (const entry of missing) {
      if (entry.isNew) this.#state.register(entry);
      else stored.push(entry);
    }
    if (stored.length > 0) {
      const keys = stored.map(({ organizationId, serviceId }) => ({ org: organizationId, id: serviceId }));
      const deleted = await services.load(keys, { coming: requests });
      for (const entry of stored) if (!deleted.has(entry.serviceId)) this.#state.register(entry);
    }
    services.assign(requests);
  }

  #postpone(request: SampleBatch, indexes: Iterable<number>): void {
    const services = this.#state.services.servicesOf(request);
    for (const index of indexes) {
      const service = services[index] ?? null;
      if (service !== null) this.#state.postpone(service);
    }
  }

  /** The log position is null without assigned partitions, because such a bus keeps no log. */
  #originOf({ receivedAt }: SampleBatch, delivery: DeliveredAt, consumedAt: number): Origin {
    const { topic, partition, offset, publishedAt } = delivery;
    const place = this.#state.owned.isAssigned ? { topic, partition, offset: String(offset) } : null;
    return { receivedAt, publishedAt, consumedAt, place };
  }

  /** Archives hosts that have been offline for long enough, and ends their alerts. */
  async #archive(): Promise<void> {
    const { options, archiving, silence, data, services, changes } = this.#state;
    const now = options.clock();
    const due = await archiving.due(options.sql, options.archiveAfter, silence, now);
    await services.load(due);
    for (const { id } of due) {
      const service = services.get(id);
      if (!service?.offline) continue;
      service.archivedAt = now;
      changes.archived.add(service);
      changes.events.push({ kind: 'archived', service });
      services.endInstances(service, 'service_archived');
      // The silence watch forgets an archived host, so that no alert about silence or missing data fires before its next
      // payload.
      silence.forget(id);
      data.forget(id);
    }
  }
}
