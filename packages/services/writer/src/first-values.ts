import { LARGEST_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import type { Transaction } from '@tidewatch/store/connection';
import { writeFirstLatest } from '@tidewatch/store/latest/write-latest';
import type { BinaryRows } from '@tidewatch/store/samples/binary-rows';
import type { SampleRows } from '@tidewatch/store/samples/sample-rows';
import type { Block } from './block.ts';
import type { Heard } from './heard.ts';
import type { ServiceState } from './service-state.ts';

/** What a transaction creates, with its latest values: who sees a new service sees what it reported. */
export class FirstValues {
  blocks = new Set<Block>();
  services = new Set<ServiceState>();

  clear(): void {
    this.blocks = new Set();
    this.services = new Set();
  }

  /**
   * Writes the latest values of `blocks` out of `rows`, and the live rows of services that have none yet. Memory takes
   * the values before they are committed: after a rollback it is dropped as a whole. `now` in ms.
   */
  async write(
    tx: Transaction,
    rows: readonly SampleRows<Block>[],
    heard: Heard,
    now: number,
    buffer: BinaryRows,
  ): Promise<void> {
    if (this.blocks.size > 0) {
      for (const lane of rows) observeRows(lane, now, (block) => this.blocks.has(block));
    }
    heard.tell(
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

/** Takes the values of rows for latest ones, where `wanted` says so of the block; those far ahead of `now` (ms) never. */
export function observeRows(
  { length, blocks, times, values }: SampleRows<Block>,
  now: number,
  wanted: (block: Block) => boolean,
): void {
  for (let row = 0; row < length; row++) {
    const time = times[row] as number;
    const block = blocks[row] as Block;
    if (time > now + LARGEST_SKEW_MS || !wanted(block)) continue;
    for (let slot = 0; slot < 16; slot++) {
      const value = values[row * 16 + slot] as number;
      if (!Number.isNaN(value)) block.observe(slot, time, value);
    }
  }
}
