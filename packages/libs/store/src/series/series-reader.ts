import type { Queryable } from '@tidewatch/database/connection';
import type {
  BlockSpan,
  HoursRequest,
  KnownBlocks,
  Levels,
  LevelsRequest,
  MinuteSpan,
  Minutes,
  MinutesOptions,
  NewestRequest,
  NewestValue,
  Place,
  PlaceSpan,
  Range,
  RowTimes,
  SampleSpan,
  Samples,
  SlotHours,
  StepMeans,
  Steps,
  StepsRequest,
  TimesTier,
  WatchedSlot,
} from './series-columns.ts';

/**
 * Reads stored samples and rollups; nothing else knows how they are laid out. Every method runs in the transaction of its caller, whose
 * organization and snapshot it sees, and returns plain columns. Samples that were stored twice count once, and late samples count as
 * soon as they are committed.
 */
export interface SeriesReader {
  /**
   * Reads what later reads of these blocks have in common, for reads of `range` or a part of it in the same snapshot. Each of them reads
   * it by itself where it is not given.
   */
  know(tx: Queryable, blockIds: readonly number[], range: Range): Promise<KnownBlocks>;
  /** The steps of places that have values; places without steps may be left out. */
  steps<P extends Place>(
    tx: Queryable,
    places: readonly P[],
    request: StepsRequest,
    known?: KnownBlocks,
  ): Promise<Map<P, Steps>>;
  /** The means of the same steps, which are a fourth of the data. */
  means<P extends Place>(
    tx: Queryable,
    places: readonly P[],
    request: StepsRequest,
    known?: KnownBlocks,
  ): Promise<Map<P, StepMeans>>;
  /** The samples of each span as they came, oldest first, as far as they are kept; also those that were backfilled where asked for. */
  samples(
    tx: Queryable,
    spans: readonly SampleSpan[],
    options?: { withBackfill: boolean },
  ): Promise<Samples[]>;
  /** The time of the newest row of each block in its span, ms; blocks without one are left out. Backfilled rows do not count. */
  newestTimes(tx: Queryable, spans: readonly BlockSpan[]): Promise<Map<number, number>>;
  /**
   * The newest value of each place that is less than `withinMs` older than the newest row of its block before `to`; null if there is none.
   * Backfilled values do not count.
   */
  newestValues(
    tx: Queryable,
    places: readonly Place[],
    request: NewestRequest,
  ): Promise<(NewestValue | null)[]>;
  /**
   * For each block and slot the time of the newest value in its span, ms, NaN without one; blocks without rows are left out. Backfilled
   * values count.
   */
  newestBySlot(tx: Queryable, spans: readonly BlockSpan[]): Promise<Map<number, Float64Array>>;
  /** The times of rows of any of the blocks, without their values; backfilled rows do not count. */
  rowTimes(tx: Queryable, blockIds: readonly number[], range: Range, tier: TimesTier): Promise<RowTimes>;
  /** The first of these times; null if there is none. */
  firstTime(
    tx: Queryable,
    blockIds: readonly number[],
    range: Range,
    tier: TimesTier,
  ): Promise<number | null>;
  /**
   * How the means of minutes or hours since a turn differ from those before, for every slot of blocks. Buckets that are not complete may
   * count by their samples. Blocks without rows on both sides are left out.
   */
  levels(
    tx: Queryable,
    blockIds: readonly number[],
    request: LevelsRequest,
    known?: KnownBlocks,
  ): Promise<Map<number, Levels>>;
  /** Those of the blocks of which nothing is stored. */
  emptyBlocks(tx: Queryable, blockIds: readonly number[]): Promise<number[]>;
  /** The minutes of each span that have values. */
  minutes(tx: Queryable, spans: readonly MinuteSpan[], options: MinutesOptions): Promise<Minutes[]>;
  /**
   * The times of the newest values of each span, at most `max`, oldest first. Backfilled values do not count; minutes that are not
   * complete may be missing.
   */
  lastTimes(
    tx: Queryable,
    spans: readonly PlaceSpan[],
    tier: TimesTier,
    max: number,
  ): Promise<Float64Array[]>;
  /** The hours of each slot that have or may have values. */
  hours(
    tx: Queryable,
    slots: readonly WatchedSlot[],
    request: HoursRequest,
    known?: KnownBlocks,
  ): Promise<SlotHours[]>;
}
