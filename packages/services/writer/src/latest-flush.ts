import type { Sql } from '@tidewatch/store/connection';
import { writeLatest } from '@tidewatch/store/latest/write-latest';
import { BinaryRows } from '@tidewatch/store/samples/binary-rows';
import type { Block } from './block.ts';
import type { ServiceState } from './service-state.ts';

/** Carries latest values from memory to the store a few times a second, apart from the commits. */
export class LatestFlush {
  readonly #sql: Sql;
  readonly #buffer = new BinaryRows();
  // One at a time, since all use one buffer.
  #running: Promise<void> = Promise.resolve();
  #blocks: Block[] = [];
  #services: ServiceState[] = [];

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  block(block: Block): void {
    if (block.latestDirty) return;
    block.latestDirty = true;
    this.#blocks.push(block);
  }

  service(state: ServiceState): void {
    if (state.liveDirty) return;
    state.liveDirty = true;
    this.#services.push(state);
  }

  /** Writes what changed since the last time; `now` in ms. What could not be written is kept for the next time. */
  flush(now: number): Promise<void> {
    const flushed = this.#running.then(() => this.#flush(now));
    this.#running = flushed.catch(() => {});
    return flushed;
  }

  async #flush(now: number): Promise<void> {
    const blocks = this.#blocks;
    const services = this.#services;
    this.#blocks = [];
    this.#services = [];
    for (const block of blocks) block.latestDirty = false;
    const live = services.map((state) => {
      state.liveDirty = false;
      return state.live();
    });
    try {
      await writeLatest(this.#sql, blocks, live, now, this.#buffer);
    } catch (error) {
      for (const block of blocks) this.block(block);
      for (const state of services) this.service(state);
      throw error;
    }
  }
}
