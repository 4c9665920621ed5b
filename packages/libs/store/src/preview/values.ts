import type { Transaction } from '@tidewatch/database/connection';
import type { KnownBlocks, MinutesOptions, PlaceSpan } from '../series/series-columns.ts';
import { storedSeries } from '../series/stored-series.ts';

/** A range `[from, to)` of one slot to read, ms. */
export interface Leg extends PlaceSpan {
  known: KnownBlocks;
  /** Whether there may be backfilled values. */
  hasBackfill: boolean;
  /** Whether only the first value is read. */
  firstOnly: boolean;
  /** From when on sample times before `from` are read (ms), for the usual interval; null for none. */
  timesSince: number | null;
}

/** Values in order of time, by column; for raw samples all three columns are equal. The mean is valid only if requested. */
export interface Values {
  /** Sample times before the range, ms. */
  before: Float64Array;
  at: Float64Array;
  min: Float64Array;
  max: Float64Array;
  mean: Float64Array;
}

/** The number of sample times read before a range: one more than the number of intervals of the usual interval. */
const TIMES_BEFORE = 10;
const NOTHING = new Float64Array();

/** Reads several ranges; returns their values in the same order. */
export async function readValues(
  tx: Transaction,
  tier: 'raw' | '1m',
  legs: readonly Leg[],
  options: MinutesOptions,
): Promise<Values[]> {
  const asking = legs.flatMap(({ blockId, slot, from, timesSince }, leg) =>
    timesSince !== null && timesSince < from ? [{ leg, blockId, slot, from: timesSince, to: from }] : [],
  );
  const [values, times] = await Promise.all([
    tier === 'raw' ? readSamples(tx, legs) : readMinutes(tx, legs, options),
    storedSeries.lastTimes(tx, asking, tier, TIMES_BEFORE),
  ]);
  const before = new Map(asking.map(({ leg }, index) => [leg, times[index]]));
  return values.map((own, leg) => ({ ...own, before: before.get(leg) ?? NOTHING }));
}

async function readSamples(tx: Transaction, legs: readonly Leg[]): Promise<Omit<Values, 'before'>[]> {
  const found = await storedSeries.samples(tx, legs);
  return found.map(({ times, values }) => ({ at: times, min: values, max: values, mean: values }));
}

async function readMinutes(
  tx: Transaction,
  legs: readonly Leg[],
  options: MinutesOptions,
): Promise<Omit<Values, 'before'>[]> {
  const spans = legs.map(({ hasBackfill, ...leg }) => ({ ...leg, mayBeBackfilled: hasBackfill }));
  return await storedSeries.minutes(tx, spans, options);
}
