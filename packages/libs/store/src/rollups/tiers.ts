import { summandOf } from './summand.ts';

export type RollupTier = '1m' | '1h' | '1d';

export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** Bucket width of each tier in milliseconds. Buckets are aligned to the epoch, in UTC. */
export const TIER_WIDTH: Record<RollupTier, number> = { '1m': MINUTE, '1h': HOUR, '1d': DAY };

const SLOTS = Array.from({ length: 16 }, (_, slot) => slot);

/** Columns of a rollup table besides (bucket, block_id), slot by slot. */
export const ROLLUP_COLUMNS = SLOTS.flatMap((slot) => [
  `sum${slot}`,
  `cnt${slot}`,
  `min${slot}`,
  `max${slot}`,
]);

/** Aggregates over raw rows `s`, in the order of ROLLUP_COLUMNS. */
export const AGGREGATES_OF_SAMPLES = SLOTS.flatMap((slot) => [
  `sum(${summandOf(`s.v${slot}`)})`,
  `nullif(count(s.v${slot}), 0)::integer`,
  `min(s.v${slot})`,
  `max(s.v${slot})`,
]);

/** Aggregates over rows `s` of the next finer tier, in the order of ROLLUP_COLUMNS. */
export const AGGREGATES_OF_ROLLUPS = SLOTS.flatMap((slot) => [
  `sum(s.sum${slot})`,
  `sum(s.cnt${slot})::integer`,
  `min(s.min${slot})`,
  `max(s.max${slot})`,
]);

/** Start of the bucket of `width` milliseconds that `time` lies in. */
export function bucketOf(time: number, width: number): number {
  return Math.floor(time / width) * width;
}
