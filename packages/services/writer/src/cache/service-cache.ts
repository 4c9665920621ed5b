import type { Transaction } from '@tidewatch/store/database/connection';
import { readServiceLive } from '@tidewatch/store/latest/write-latest';
import { bucketOf, MINUTE } from '@tidewatch/store/rollups/tiers';
import {
  type BlockStateRow,
  findBlockStates,
  findBlocks,
  findLastRows,
} from '@tidewatch/store/samples/block-rows';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import type { Block } from './block.ts';
import { ServiceState } from './service-state.ts';

/** Everything the writer keeps in memory about services; all of it can be dropped and read again. */
export class Fleet {
  readonly #states = new Map<ServiceEntry, ServiceState>();

  *blocks(): IterableIterator<Block> {
    for (const state of this.#states.values()) {
      for (const subject of state.subjects()) yield* subject.blocks;
    }
  }

  /** Forgets everything: the next batch reads what it needs. */
  clear(): void {
    this.#states.clear();
  }

  /** Lets go of services that were deleted. */
  prune(): void {
    for (const entry of this.#states.keys()) if (!entry.alive) this.#states.delete(entry);
  }

  /** The state of each entry, null where that is; what is not in memory is read. */
  async statesOf(
    tx: Transaction,
    entries: readonly (ServiceEntry | null)[],
  ): Promise<readonly (ServiceState | null)[]> {
    const states: (ServiceState | null)[] = [];
    const missing = new Set<ServiceEntry>();
    for (const entry of entries) {
      const state = entry === null ? null : this.#states.get(entry);
      states.push(state ?? null);
      if (entry !== null && state === undefined) missing.add(entry);
    }
    if (missing.size === 0) return states;
    await this.#load(tx, missing);
    return entries.map((entry) => (entry === null ? null : (this.#states.get(entry) as ServiceState)));
  }

  /** Reads blocks and slots of services that are not in memory. */
  async #load(tx: Transaction, entries: Iterable<ServiceEntry>): Promise<void> {
    const missing = new Map<string, Map<string, ServiceState>>();
    for (const entry of entries) {
      const state = new ServiceState(entry);
      this.#states.set(entry, state);
      if (entry.isNew) continue;
      let services = missing.get(entry.organizationId);
      if (services === undefined) {
        services = new Map();
        missing.set(entry.organizationId, services);
      }
      services.set(entry.serviceId, state);
    }
    for (const [organizationId, services] of missing) {
      const ids = [...services.keys()];
      for (const row of await findBlocks(tx, organizationId, ids)) {
        (services.get(row.service_id) as ServiceState).subject(row.subject_kind, row.subject_name).load(row);
      }
      for (const row of await readServiceLive(tx, organizationId, ids)) {
        const state = services.get(row.service_id) as ServiceState;
        state.restore((row.interval ?? 0) * 1000, (row.clock_offset ?? 0) * 1000, row.last_sample_at);
      }
    }
  }
}

/**
 * Reads where blocks stand before this batch, rows at or before `latest` (ms) considered. Answers the minutes
 * that a lost accumulator may have known more of than the store: they are to be marked dirty.
 */
export async function loadBlockStates(tx: Transaction, blocks: ReadonlySet<Block>, latest: number) {
  const byId = new Map<number, Block>();
  for (const block of blocks) byId.set(block.id, block);
  const lost: { block: Block; time: number }[] = [];
  const newest: { id: number; time: number }[] = [];
  for (const row of await findBlockStates(tx, [...byId.keys()], latest)) {
    const block = byId.get(row.id) as Block;
    restoreBlock(block, row);
    if (row.last_time === null) continue;
    newest.push({ id: row.id, time: row.last_time });
    const minute = bucketOf(row.last_time, MINUTE);
    // One that was rolled up may have got rows since, from a writer that still had the block then.
    if (row.last_minute === null || minute >= row.last_minute) lost.push({ block, time: row.last_time });
  }
  if (newest.length > 0) {
    for (const row of await findLastRows(tx, newest)) {
      const block = byId.get(row.block_id as number) as Block;
      for (let slot = 0; slot < 16; slot++) {
        const value = row[`v${slot}`];
        if (typeof value === 'number') block.observe(slot, row.time as number, value);
      }
    }
  }
  return lost;
}

function restoreBlock(block: Block, row: BlockStateRow): void {
  block.known = true;
  block.lastTime = row.last_time ?? Number.NEGATIVE_INFINITY;
  if (row.last_time !== null) {
    block.minute.open(bucketOf(row.last_time, MINUTE));
    block.tainted = true;
  }
  for (const minute of row.dirty) block.aheadUntil = Math.max(block.aheadUntil, minute);
  for (let slot = 0; slot < 16; slot++) {
    const time = row.times?.[slot] ?? null;
    const value = row.vals?.[slot] ?? null;
    if (time !== null && value !== null) block.observe(slot, time, value);
  }
}
