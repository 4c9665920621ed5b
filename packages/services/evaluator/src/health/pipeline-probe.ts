import type { Assignment } from '@tidewatch/bus/bus';
import { PROBE_TYPE } from '@tidewatch/contracts/events/probe';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import { writePipelineClocks } from '@tidewatch/store/health/pipeline-clocks';
import { appendProbe } from '@tidewatch/store/outbox/probe';

/**
 * Emits heartbeats of gateways as probe events, which show the notifier that the whole pipeline works, and stores up to
 * which time each partition has been evaluated.
 */
export class PipelineProbe {
  readonly #clock: () => number;
  readonly #newId: (prefix: 'evt') => string;
  readonly #everyMs: number;
  readonly #heartbeats = new Map<number, number>();
  #partitions = 1;
  #sentAt = Number.NEGATIVE_INFINITY;
  #sending: number | null = null;

  constructor(clock: () => number, newId: (prefix: 'evt') => string, everyMs: number) {
    this.#clock = clock;
    this.#newId = newId;
    this.#everyMs = everyMs;
  }

  assign(assignment: Pick<Assignment<Transaction>, 'count'>): void {
    this.#partitions = assignment.count;
    this.#heartbeats.clear();
  }

  /** Records a heartbeat (ms) of the current transaction. */
  recordHeartbeat(partition: number, at: number): void {
    this.#heartbeats.set(partition, Math.max(at, this.#heartbeats.get(partition) ?? at));
  }

  /** Must be called in each transaction after its records were evaluated. */
  async write(tx: Transaction): Promise<void> {
    const now = this.#clock();
    if (this.#heartbeats.size === 0 || now - this.#sentAt < this.#everyMs) return;
    this.#sending = now;
    const heartbeats = Object.fromEntries(this.#heartbeats);
    const partitions = this.#partitions;
    const clocks = [...this.#heartbeats].map(([partition, completeUntil]) => ({
      partition,
      partitions,
      completeUntil,
    }));
    const writing = writePipelineClocks(tx, clocks);
    const appending = appendProbe(tx, {
      specversion: '1.0',
      id: this.#newId('evt'),
      source: '/tidewatch',
      type: PROBE_TYPE,
      subject: 'pipeline',
      time: toIso(now),
      datacontenttype: 'application/json',
      data: { partitions, heartbeats },
    });
    // Sent together; what follows a failure in a transaction fails as well.
    await Promise.all([writing, appending]);
  }

  /** Returns whether the transaction appended a probe. */
  committed(): boolean {
    if (this.#sending === null) return false;
    this.#sentAt = this.#sending;
    this.#sending = null;
    this.#heartbeats.clear();
    return true;
  }

  /** Drops the heartbeats of a transaction that was rolled back. */
  rolledBack(): void {
    this.#sending = null;
    this.#heartbeats.clear();
  }
}
