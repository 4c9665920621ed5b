import type { Transaction } from '@tidewatch/database/connection';
import type { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { writeFirstLatest } from '@tidewatch/store/latest/write-latest';
import type { SampleRows } from '@tidewatch/store/samples/sample-rows';
import type { Block } from '../cache/block.ts';
import type { ServiceState } from '../cache/service-state.ts';
import type { ReceivedPayloads } from '../staging/received-payloads.ts';

/** The services and blocks that a transaction creates; their latest values are committed in the same transaction. */
export class FirstValues {
  blocks = new Set<Block>();
  services = new Set<ServiceState>();

  clear(): void {
    this.blocks = new Set();
    this.services = new Set();
  }

  /**
   * Writes the latest values of `blocks`, which are observed already, and the live rows of services that have none. Updates the
   * cache before the commit, since a rollback drops the whole cache. `now` in ms.
   */
  async write(tx: Transaction, received: ReceivedPayloads, now: number, buffer: BinaryRows): Promise<void> {
    if (received.hasNew)
      received.updateServices(
        (state) => state.stored && !this.services.has(state),
        (state) => {
          state.stored = true;
          this.services.add(state);
        },
      );
    const live = [...this.services].map((state) => state.live());
    await writeFirstLatest(tx, [...this.blocks], live, now, buffer);
  }
}

/**
 * Updates the latest values of blocks by rows, for blocks for which `wanted` (called once for each) returns true. Ignores
 * rows that are ahead of `now` (ms) by more than the allowed clock skew.
 */
export function observeRows(rows: SampleRows<Block>, now: number, wanted: (block: Block) => boolean): void {
  const { blocks, times } = rows;
  const order = rows.sorted();
  const latest = now + MAX_SKEW_MS;
  for (let start = 0, next = 0; start < order.length; start = next) {
    const block = blocks[order[start] as number] as Block;
    next = start + 1;
    while (next < order.length && blocks[order[next] as number] === block) next++;
    let end = next;
    while (end > start && (times[order[end - 1] as number] as number) > latest) end--;
    if (end > start && wanted(block)) observeNewest(block, rows, order.subarray(start, end));
  }
}

/** Updates latest values from the rows in `order`, newest last; the newest row usually has a value for each slot. */
function observeNewest(block: Block, { times, values }: SampleRows<Block>, order: Uint32Array): void {
  let found = 0;
  let left = block.slots;
  for (let at = order.length - 1; at >= 0 && left > 0; at--) {
    const row = order[at] as number;
    for (let slot = 0; slot < 16; slot++) {
      const value = values[row * 16 + slot] as number;
      if (Number.isNaN(value) || (found & (1 << slot)) !== 0) continue;
      found |= 1 << slot;
      left--;
      block.observe(slot, times[row] as number, value);
    }
  }
}
