import type { Transaction } from '@tidewatch/database/connection';
import type { LateBuckets } from '@tidewatch/store/backends/storage-backend';
import { MinuteRows } from '@tidewatch/store/rollups/minute-rows';
import type { SampleRows } from '@tidewatch/store/samples/sample-rows';
import type { Block } from '../cache/block.ts';
import type { RollUp } from './roll-up.ts';

/** For databases that roll up rows themselves: marks minutes of rows that arrived after their minute was rolled up. */
export class LateRollUp implements RollUp {
  readonly minutes = new MinuteRows<Block>();
  readonly #late: LateBuckets;
  #times = new Set<number>();
  #sealedTo = Number.NEGATIVE_INFINITY;

  constructor(late: LateBuckets) {
    this.#late = late;
  }

  clear(): void {
    this.#times = new Set();
  }

  async begin(tx: Transaction): Promise<void> {
    this.#sealedTo = await this.#late.hold(tx);
  }

  addLost(): void {}

  leaveHour(): void {}

  addMerged(rows: SampleRows<Block>): void {
    for (let row = 0; row < rows.length; row++) {
      const time = rows.times[row] as number;
      if (time < this.#sealedTo) this.#times.add(time);
    }
  }

  addAppended(rows: SampleRows<Block>): void {
    this.addMerged(rows);
  }

  flushIdle(): void {}

  recomputeAll(): void {}

  async writeMarks(tx: Transaction): Promise<void> {
    await this.#late.mark(tx, this.#times);
  }
}
