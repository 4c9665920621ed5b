import { ACCUMULATOR_NUMBERS, RollupAccumulator } from '@tidewatch/domain/rollup/accumulator';
import { NumberSlab } from '@tidewatch/domain/series/number-slab';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';

const slab = new NumberSlab();

/** What the writer remembers of one block; everything in here can be read again from the store. */
export class Block {
  /** 0 until the block's row was created. */
  id = 0;
  readonly ordinal: number;
  /** How many of its slots metrics have; rows have no values in others. */
  slots = 0;
  /** False until `lastTime` and the rest were read: until then its rows are merged, never appended. */
  known = false;
  /** Time of the newest row, those skewed ahead left out; what is later cannot be there yet. */
  lastTime = Number.NEGATIVE_INFINITY;
  readonly minute = new RollupAccumulator(slab.take(ACCUMULATOR_NUMBERS, 0));
  /** Whether the open minute also has rows that were not accumulated: it is then rolled up from the store. */
  tainted = false;
  /** The newest minute beyond the open one that already has rows, of a clock that ran ahead. Until it is passed, no
   * minute is accumulated. */
  aheadUntil = Number.NEGATIVE_INFINITY;
  /** When a row last came, by the server's clock, ms. */
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

  /** Counts no latest value as later than `time`, after the clock of its host was set back to it. */
  setBack(time: number): void {
    const { latestTimes } = this;
    for (let slot = 0; slot < latestTimes.length; slot++)
      if ((latestTimes[slot] as number) > time) latestTimes[slot] = time;
  }

  /** Takes a value for a latest one unless a later one is known. Of equal times the newest arrival counts. */
  observe(slot: number, time: number, value: number): void {
    if (time >= (this.latestTimes[slot] as number)) {
      this.latestTimes[slot] = time;
      this.latestValues[slot] = value;
    }
  }
}
