import { coarserOf } from '@tidewatch/contracts/rollups/tiers';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { DirtyMarks } from '@tidewatch/store/rollups/dirty-marks';
import { MinuteRows } from '@tidewatch/store/rollups/minute-rows';
import type { SampleRows } from '@tidewatch/store/samples/sample-rows';
import type { Block } from '../cache/block.ts';

/** The tier of finished minutes. */
const FINEST = coarserOf('raw');
/** The tier that is computed from it. */
const COARSER = coarserOf('1m');

/** Collects the effects of one transaction on the rollups. */
export interface RollUp {
  /** Finished minutes to append to rollup_1m. */
  readonly minutes: MinuteRows<Block>;
  clear(): void;
  /** Must be called first in each transaction that writes. */
  begin(tx: Transaction): Promise<void>;
  /** Adds a minute that only the accumulator of a lost process contained. */
  addLost(block: Block, time: number): void;
  /** Adds the hour of `time`, the last hour of a block before its state was read again. */
  leaveHour(block: Block, time: number): void;
  /** Adds rows that arrived late or repeatedly. Must be called before `addAppended`. */
  addMerged(rows: SampleRows<Block>): void;
  /** Adds rows that are newer than all rows of their blocks. */
  addAppended(rows: SampleRows<Block>): void;
  /** Ends minutes that received no rows since `before` (ms, our clock). Rows that arrive afterwards are late. */
  flushIdle(blocks: Iterable<Block>, before: number): void;
  /** Marks every bucket of these rows to be recomputed from the store, after COPY refused them. */
  recomputeAll(rows: SampleRows<Block>): void;
  writeMarks(tx: Transaction): Promise<void>;
}

/**
 * Rolls up minutes in memory while their rows arrive in order. Finished minutes are appended to the rollup; all others
 * are marked dirty, to be recomputed from the store.
 */
export class AccumulatingRollUp implements RollUp {
  readonly minutes = new MinuteRows<Block>();
  readonly #marks = new DirtyMarks<Block>();

  clear(): void {
    this.minutes.clear();
    this.#marks.clear();
  }

  async begin(): Promise<void> {}

  addLost(block: Block, time: number): void {
    this.#marks.addLate(block, time);
  }

  leaveHour(block: Block, time: number): void {
    this.#marks.add(COARSER, block, time);
  }

  addMerged(rows: SampleRows<Block>): void {
    for (let row = 0; row < rows.length; row++) {
      const block = rows.blocks[row] as Block;
      const time = rows.times[row] as number;
      this.#marks.addLate(block, time);
      const minute = bucketOf(time, MINUTE_MS);
      if (minute === block.minute.bucket) {
        block.tainted = true;
      } else if (block.minute.bucket === null || minute > block.minute.bucket) {
        block.aheadUntil = Math.max(block.aheadUntil, minute);
        // Readers treat all minutes before the newest rolled up one as finished. This minute is rolled up before the
        // minutes in between, so none of these may exist only in memory.
        if (block.minute.bucket !== null) {
          block.tainted = true;
          this.#marks.add(FINEST, block, block.minute.bucket);
        }
      }
    }
  }

  addAppended(rows: SampleRows<Block>): void {
    const { blocks, times, values } = rows;
    for (const row of rows.sorted()) {
      const block = blocks[row] as Block;
      const minute = bucketOf(times[row] as number, MINUTE_MS);
      if (minute !== block.minute.bucket) this.#open(block, minute);
      if (block.tainted) this.#marks.add(FINEST, block, minute);
      else block.minute.addRow(values, row * 16);
    }
  }

  flushIdle(blocks: Iterable<Block>, before: number): void {
    for (const block of blocks) {
      if (block.tainted || block.minute.bucket === null || block.touchedAt >= before || block.minute.isEmpty)
        continue;
      this.minutes.add(block, block.minute);
      this.#marks.add(COARSER, block, block.minute.bucket);
      block.tainted = true;
    }
  }

  recomputeAll(rows: SampleRows<Block>): void {
    for (let index = 0; index < this.minutes.length; index++) {
      this.#marks.addLate(this.minutes.blocks[index] as Block, this.minutes.buckets[index] as number);
    }
    for (let row = 0; row < rows.length; row++) {
      const block = rows.blocks[row] as Block;
      this.#marks.addLate(block, rows.times[row] as number);
      block.tainted = true;
    }
    this.minutes.clear();
  }

  async writeMarks(tx: Transaction): Promise<void> {
    await this.#marks.write(tx);
  }

  #open(block: Block, minute: number): void {
    const previous = block.minute.bucket;
    if (previous !== null) {
      if (!block.tainted && !block.minute.isEmpty) this.minutes.add(block, block.minute);
      if (bucketOf(previous, HOUR_MS) !== bucketOf(minute, HOUR_MS)) {
        this.#marks.add(COARSER, block, previous);
        this.#marks.add(COARSER, block, minute);
      }
    } else {
      this.#marks.add(COARSER, block, minute);
    }
    block.minute.open(minute);
    block.tainted = block.aheadUntil >= minute;
  }
}
