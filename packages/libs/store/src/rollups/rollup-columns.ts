import { summandOf } from './summand.ts';

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
