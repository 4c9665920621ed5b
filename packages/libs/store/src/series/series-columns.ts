import type { Limits } from '@tidewatch/domain/preview/limits';
import type { Hour } from '@tidewatch/domain/preview/stretches';
import type { Tier } from '@tidewatch/domain/rollup/buckets';

/** The place of a series. */
export interface Place {
  readonly blockId: number;
  readonly slot: number;
  /** To whom the block belongs, which is looked up where it is missing. */
  readonly owner?: BlockOwner;
}

/** The service of a block, and the first block of its subject. */
export interface BlockOwner {
  readonly organizationId: string;
  readonly serviceId: string;
  readonly firstBlockId: number;
}

/** `[from, to)`, ms; either end may be infinite. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface BlockSpan extends Range {
  readonly blockId: number;
}

export interface PlaceSpan extends Place, Range {}

export interface SampleSpan extends PlaceSpan {
  /** Whether only the first sample is read. */
  readonly firstOnly?: boolean;
}

/** The time from which on each tier has all rows, ms. */
export type RetainedFrom = Readonly<Record<Tier, number>>;

/** The steps to read of some places. */
export interface StepsRequest extends Range {
  /** The coarsest tier that steps may be computed from; its buckets divide `stepMs`. */
  readonly tier: Tier;
  readonly stepMs: number;
  readonly retained: RetainedFrom;
}

/** The steps of one slot that have values, in order, as columns of the same length. `at` is the start of the step, ms. */
export interface Steps {
  readonly at: Float64Array;
  readonly sum: Float64Array;
  readonly count: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
}

/** The means of steps, as columns. */
export interface StepMeans {
  readonly at: Float64Array;
  readonly mean: Float64Array;
}

/** The samples of one slot, oldest first, as columns; times in ms. */
export interface Samples {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

export interface NewestRequest {
  /** Rows before this time count, ms. */
  readonly to: number;
  readonly withinMs: number;
}

export interface NewestValue {
  readonly time: number;
  readonly value: number;
}

/** What a reader knows of blocks in one snapshot. Only the reader that returned it looks inside. */
export interface KnownBlocks {
  readonly range: Range;
}

/** Whether times are those of samples as they came, or their minutes. */
export type TimesTier = 'raw' | '1m';

/** Times of rows, oldest first, as columns. */
export interface RowTimes {
  /** ms; the start of the minute where minutes are read. */
  readonly at: Float64Array;
  /** How many rows of one block have this time or are in this minute, at most. */
  readonly count: Float64Array;
}

/** `[from, turn)` is compared with `[turn, to)`, ms. */
export interface LevelsRequest extends Range {
  readonly turn: number;
  /** The tier whose buckets are compared. */
  readonly tier: '1m' | '1h';
  readonly retained: RetainedFrom;
}

/** The levels of a block by slot; NaN where a slot has none. */
export interface Levels {
  /** Mean and standard deviation of the means before the turn. */
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
  /** The largest and smallest mean since. */
  readonly max: Float64Array;
  readonly min: Float64Array;
}

export interface MinuteSpan extends PlaceSpan {
  /** Whether minutes after the first may be left out. */
  readonly firstOnly?: boolean;
  /** Whether there may be backfilled values. */
  readonly mayBeBackfilled: boolean;
  /** What is known of the block, if it was asked for. */
  readonly known?: KnownBlocks;
}

export interface MinutesOptions {
  readonly retained: RetainedFrom;
  /** Whether to read means, too. */
  readonly withMean: boolean;
}

/** The minutes of one slot that have values, in order, as columns. `at` is the start of the minute, ms. */
export interface Minutes {
  readonly at: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  /** The minimum where means were not asked for. */
  readonly mean: Float64Array;
}

export interface WatchedSlot extends Place {
  /** The limits of values without a breach; null if minimum and maximum cannot show one. Slots with the same limits share one object. */
  readonly limits: Limits | null;
}

export interface HoursRequest extends Range {
  readonly retained: RetainedFrom;
  /** Whether to leave out quiet hours that are neither next to others nor the last one. */
  readonly leavesQuietOut: boolean;
}

/** The hours of a slot that have or may have values, as limits see them. */
export interface SlotHours {
  /** In order, decoded when they are asked for: the hours of many slots take much memory. */
  readonly hours: Hour[];
  /** Hours that end after this time (ms) may be loud without values: nothing is known of them. */
  readonly assumedFrom: number;
  /** Whether the slot has backfilled values in the range. */
  readonly hasBackfill: boolean;
}
