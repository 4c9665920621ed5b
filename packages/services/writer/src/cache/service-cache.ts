import type { Transaction } from '@tidewatch/database/connection';
import { readPartLatest } from '@tidewatch/store/latest/live-parts';
import { type LiveRow, readServiceLive } from '@tidewatch/store/latest/write-latest';
import { findParts } from '@tidewatch/store/parts/part-rows';
import { type BlockRow, findBlocks } from '@tidewatch/store/samples/block-rows';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import type { Block } from './block.ts';
import { ServiceState } from './service-state.ts';

/** Caches services with their subjects and blocks. All of it can be dropped and read again. */
export class ServiceCache {
  readonly #states = new Map<ServiceEntry, ServiceState>();
  /** Whether the values of live rows are restored from them, since a seal writes the latest values of blocks. */
  restoresLive = false;

  *blocks(): IterableIterator<Block> {
    for (const state of this.#states.values()) {
      for (const subject of state.subjects()) yield* subject.blocks;
    }
  }

  /** Drops all cached state; the next batch reads what it needs. */
  clear(): void {
    this.#states.clear();
  }

  /** Evicts deleted services. */
  prune(): void {
    for (const entry of this.#states.keys()) if (!entry.alive) this.#states.delete(entry);
  }

  /** Returns the state of each entry, null for a null entry. Reads states that are not cached. */
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

  /** Reads the blocks and slots of services that are not cached. */
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
      const live = new Map<ServiceState, LiveRow>();
      const ids = [...services.keys()];
      for (const row of await readServiceLive(tx, organizationId, ids)) {
        const state = services.get(row.service_id) as ServiceState;
        live.set(state, row);
        state.restore((row.interval ?? 0) * 1000, (row.clock_offset ?? 0) * 1000, row.last_sample_at);
      }
      const blocks = await findBlocks(tx, organizationId, ids);
      const ofParts = blocks.filter((row) => row.subject_kind === 'part');
      for (const row of blocks) {
        if (row.subject_kind !== 'part')
          (services.get(row.service_id) as ServiceState)
            .subject(row.subject_kind, row.subject_name)
            .load(row);
      }
      const loaded = ofParts.length === 0 ? [] : await loadParts(tx, organizationId, services, ofParts);
      if (!this.restoresLive) continue;
      for (const [state, row] of live) state.restoreLive(row);
      if (loaded.length > 0) await restoreParts(tx, loaded);
    }
  }
}

/** A block of parts that was read, with the newest sample time by the present clock of its host, ms. */
interface LoadedBlock {
  block: Block;
  newest: number;
}

/** Reads the parts of the services, and adds and returns their blocks. */
async function loadParts(
  tx: Transaction,
  organizationId: string,
  services: ReadonlyMap<string, ServiceState>,
  blocks: readonly BlockRow[],
): Promise<LoadedBlock[]> {
  const ids = [...new Set(blocks.map((row) => row.service_id))];
  const parts = new Map((await findParts(tx, organizationId, ids)).map((row) => [row.id, row]));
  for (const row of parts.values()) {
    const state = services.get(row.serviceId) as ServiceState;
    state.parts().know(row, state.newest);
  }
  return blocks.map((row) => {
    const state = services.get(row.service_id) as ServiceState;
    return { block: state.parts().loadParts(row, parts), newest: state.newest };
  });
}

/** Restores the latest values of parts. Those from before a clock was set back are no newer than the newest sample since. */
async function restoreParts(tx: Transaction, loaded: readonly LoadedBlock[]): Promise<void> {
  await readPartLatest(
    tx,
    loaded.map(({ block }) => block),
  );
  for (const { block, newest } of loaded) block.setBack(newest);
}
