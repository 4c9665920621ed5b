import type { Sql } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { writeLatest } from '@tidewatch/store/latest/write-latest';
import type { Block } from '../cache/block.ts';
import type { ServiceState } from '../cache/service-state.ts';
import type { Subject } from '../cache/subject.ts';

const PAUSE_MS = 200;
const MAX_PAUSE_MS = 300;
/** The pause after a flush is this many times as long as the flush. */
const PAUSE_FACTOR = 3;
/** Interval between the starts of flushes when hosts report again within a pause: one write then replaces several. */
const REPEATED_INTERVAL_MS = 750;
const MIN_REPEATED_PAYLOADS = 1.2;

/**
 * How long to pause after a flush that took `tookMs`, ms. `payloads` is the average number of payloads of a service since
 * the previous flush. Under load, flushes take longer and run less often.
 */
export function pauseAfterFlush(tookMs: number, payloads: number): number {
  if (payloads >= MIN_REPEATED_PAYLOADS) return Math.max(PAUSE_MS, REPEATED_INTERVAL_MS - tookMs);
  return Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS, PAUSE_FACTOR * tookMs));
}

/** Writes latest values to the store a few times a second, independently of commits. */
export class LatestFlush {
  readonly #sql: Sql;
  readonly #buffer = new BinaryRows();
  // The running flush; flushes run one at a time because all use one buffer.
  #running: Promise<void> = Promise.resolve();
  // Changed blocks by id, because after a rollback the cache has a new object for the same block.
  #blocks = new Map<number, Block>();
  #services = new Map<string, ServiceState>();
  /** The parts of hosts whose live row is to be written, by service. */
  #parts = new Map<string, Subject>();
  /** Payloads since the last flush. */
  #payloads = 0;
  #writing: Iterable<Block> = [];
  /** Blocks that were cached before a rollback, whose values may not have been written when they were read again. */
  readonly #former = new Map<number, Block>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  block(block: Block): void {
    if (block.latestDirty) return;
    block.latestDirty = true;
    this.#mergeFormer(block);
    this.#blocks.set(block.id, block);
  }

  /** Queues the live row of the parts of a host, after their blocks have observed a payload. */
  parts(subject: Subject): void {
    const { serviceId } = subject.entry;
    if (this.#parts.get(serviceId) === subject) return;
    this.#parts.set(serviceId, subject);
    for (const block of subject.blocks) this.#mergeFormer(block);
  }

  /**
   * Called when the cache is dropped: the committed values that wait here are merged into the blocks that are read next.
   */
  forget(): void {
    for (const block of [...this.#writing, ...this.#waiting()])
      if (block.id !== 0) this.#former.set(block.id, block);
  }

  *#waiting(): Generator<Block> {
    yield* this.#blocks.values();
    for (const { blocks } of this.#parts.values()) yield* blocks;
  }

  #mergeFormer(block: Block): void {
    const former = this.#former.get(block.id);
    if (former === undefined || former === block) return;
    this.#former.delete(block.id);
    for (let slot = 0; slot < 16; slot++) {
      const time = former.latestTimes[slot] as number;
      if (time > (block.latestTimes[slot] as number))
        block.observe(slot, time, former.latestValues[slot] as number);
    }
  }

  /** Queues the live row of a service after one of its payloads. */
  service(state: ServiceState): void {
    this.#payloads += 1;
    if (state.liveDirty) return;
    state.liveDirty = true;
    this.#services.set(state.entry.serviceId, state);
  }

  /**
   * Writes the changes since the last flush; `now` in ms. After a failure, they are written by the next flush. Returns the
   * average number of payloads of a service since the last flush.
   */
  flush(now: number): Promise<number> {
    const flushed = this.#running.then(() => this.#flush(now));
    this.#running = flushed.then(
      () => {},
      () => {},
    );
    return flushed;
  }

  async #flush(now: number): Promise<number> {
    const payloads = this.#payloads / Math.max(1, this.#services.size);
    this.#payloads = 0;
    const writing = [...this.#waiting()];
    const blocks = this.#blocks;
    const services = this.#services;
    const parts = this.#parts;
    this.#blocks = new Map();
    this.#services = new Map();
    this.#parts = new Map();
    this.#writing = writing;
    for (const block of blocks.values()) block.latestDirty = false;
    const live = [...services.values()].map((state) => {
      state.liveDirty = false;
      return state.live();
    });
    const ofParts = Array.from(parts.values(), ({ entry: { organizationId, serviceId }, blocks }) => ({
      organizationId,
      serviceId,
      blocks,
    }));
    try {
      const changes = { blocks: [...blocks.values()], services: live, parts: ofParts };
      await writeLatest(this.#sql, changes, now, this.#buffer);
    } catch (error) {
      for (const [id, block] of blocks) if (!this.#blocks.has(id)) this.block(block);
      for (const [id, state] of services) if (!this.#services.has(id)) this.service(state);
      for (const [id, subject] of parts) if (!this.#parts.has(id)) this.parts(subject);
      throw error;
    } finally {
      this.#writing = [];
    }
    return payloads;
  }
}
