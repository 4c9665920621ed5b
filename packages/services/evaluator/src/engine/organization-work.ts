import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { Queryable } from '@tidewatch/database/connection';
import type { Changes } from '../evaluation/changes.ts';
import { EndingInstances } from '../evaluation/ending-instances.ts';
import { WORK_OF_A_STEP } from '../evaluation/evaluate-sample.ts';
import { InstanceLimit } from '../evaluation/instance-limit.ts';
import { PayloadProgress } from '../evaluation/payload-progress.ts';
import { splitRequest } from '../evaluation/split-request.ts';
import { TransactionShares } from '../evaluation/transaction-shares.ts';
import type { EngineOptions } from './engine-options.ts';

const DEFAULT_ALERTS_AT_ONCE = 500;

/** A request of which a transaction evaluated a part. */
export interface SplitRequest {
  /** The evaluated payloads; null if there are none. */
  done: SampleBatch | null;
  rest: SampleBatch;
}

/**
 * Limits what each organization does in one transaction, and keeps the remaining work for later transactions: unfinished
 * requests, and alert instances that have to end.
 */
export class OrganizationWork {
  readonly alertsAtOnce: number;
  readonly ending = new EndingInstances();
  readonly limit: InstanceLimit;
  readonly #shares: TransactionShares;
  /** Progress within the first payload of each remaining request. */
  #stopped = new WeakMap<SampleBatch, PayloadProgress>();
  /** The progress object of all requests; a request that stops gets its own. */
  #progress = new PayloadProgress();

  constructor({ alertsAtOnce, alertInstancesLimit }: EngineOptions) {
    this.alertsAtOnce = alertsAtOnce ?? DEFAULT_ALERTS_AT_ONCE;
    this.limit = new InstanceLimit(alertInstancesLimit ?? Number.POSITIVE_INFINITY);
    this.#shares = new TransactionShares(this.alertsAtOnce * WORK_OF_A_STEP);
  }

  /** Starts a transaction; `now` in ms. */
  async begin(sql: Queryable, now: number): Promise<void> {
    this.#shares.begin();
    this.limit.begin();
    await this.limit.refresh(sql, now);
  }

  /** Returns the remaining share of an organization; zero or less if it is used up. */
  leftTo(organizationId: string): number {
    return this.#shares.leftTo(organizationId);
  }

  /** Returns the progress at which the evaluation of a request continues. */
  progressOf(request: SampleBatch): PayloadProgress {
    return this.#stopped.get(request) ?? this.#progress;
  }

  /** Records the work of a request of which every payload was evaluated. */
  finish(request: SampleBatch, work: number): void {
    this.#shares.take(request.organizationId, work);
  }

  /** Ends the organization’s share of the transaction and splits its request; `left` are indexes of payloads. */
  stop(request: SampleBatch, left: readonly number[], progress: PayloadProgress): SplitRequest {
    this.#shares.take(request.organizationId, Number.POSITIVE_INFINITY);
    const parts = splitRequest(request, left);
    this.#stopped.set(parts.rest, progress);
    if (progress === this.#progress) this.#progress = new PayloadProgress();
    return parts;
  }

  committed(changes: Changes): void {
    this.limit.committed(changes);
    this.ending.committed();
  }

  /** Drops the remaining work: unfinished requests are delivered again, and ending alert instances are found again. */
  clear(): void {
    this.ending.clear();
    this.#stopped = new WeakMap();
    this.#progress = new PayloadProgress();
  }
}
