import { ACCUMULATOR_NUMBERS, RollupAccumulator } from '@tidewatch/domain/rollup/accumulator';
import { NumberSlab } from '@tidewatch/domain/series/number-slab';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';

const slab = new NumberSlab();

/** The data that the writer caches about one block; all of it can be read again from the store. */
export class Block {
  /** The id of the block; 0 until its row is created. */
  id = 0;
  readonly ordinal: number;
  /** The number of slots with a metric; rows have no values in the others. */
  slots = 0;
  /** Whether the state of the block was read; until then rows are merged, never appended. */
  known = false;
  /** The time of the newest row, not counting rows of clocks that are ahead. Rows with a later time can be appended. */
  lastTime = Number.NEGATIVE_INFINITY;
  readonly minute = new RollupAccumulator(slab.take(ACCUMULATOR_NUMBERS, 0));
  /** Whether the open minute has rows that were not accumulated, so that it must be rolled up from the store. */
  tainted = false;
  /**
   * The newest minute after the open one that has rows, from a clock that was ahead. Minutes up to this one are not
   * accumulated.
   */
  aheadUntil = Number.NEGATIVE_INFINITY;
  /** When the last row arrived, by our clock, ms. */
  touchedAt = 0;
  /** Batch, time and index of the row that is staged to be appended. */
  stagedBatch = 0;
  stagedRow = -1;
  readonly latestTimes = slab.take(SLOTS_PER_BLOCK, Number.NEGATIVE_INFINITY);
  readonly latestValues = slab.take(SLOTS_PER_BLOCK, Number.NaN);
  latestDirty = false;

  constructor(ordinal: number) {
    this.ordinal = ordinal;
  }

  /** Limits the times of latest values to `time`, after the clock of the host was set back to `time`. */
  setBack(time: number): void {
    const { latestTimes } = this;
    for (let slot = 0; slot < latestTimes.length; slot++)
      if ((latestTimes[slot] as number) > time) latestTimes[slot] = time;
  }

  /** Keeps a value as the latest one unless a later one is known. Of equal times, the newest arrival wins. */
  observe(slot: number, time: number, value: number): void {
    if (time >= (this.latestTimes[slot] as number)) {
      this.latestTimes[slot] = time;
      this.latestValues[slot] = value;
    }
  }
}
