import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Limits } from '@tidewatch/domain/preview/limits';
import { LOUD, QUIET, UNCLEAR } from '@tidewatch/domain/preview/stretches';
import { iso, outerBounds, type SqlParameters } from './sql-parameters.ts';

/** Ranges `[from, to)` of blocks, ms; in all of them the values of some of the slots are compared with `limits`. */
export interface WatchedSpans {
  slots: readonly number[];
  /** The limits of values without a breach; null if minimum and maximum do not decide, so any hour may have one. */
  limits: Limits | null;
  /** `mask` has the bit of each slot that is read of the block; with a single slot it is not needed. */
  spans: readonly { blockId: number; from: number; to: number; mask: number }[];
}

/** The hours of a slot, packed by `array_send`, unordered. */
export type HoursRow = [blockId: number, slot: number, isBackfill: boolean, count: number, codes: string];

/**
 * An hour is encoded as one number: the number of values times this, plus four times the hours since the epoch, plus
 * loudness.
 */
const VALUES_UNIT = 2 ** 23;

/** Decodes the number that stands for an hour; `start` in ms. */
export function hourOf(code: number): { start: number; loudness: number; values: number } {
  const hour = code % VALUES_UNIT;
  return {
    start: Math.floor(hour / 4) * HOUR_MS,
    loudness: hour % 4,
    values: Math.floor(code / VALUES_UNIT),
  };
}

/**
 * Selects the hours of the slots in each block, one row for each, whose rows in the table are read once. The table is joined so that it is read once in physical order if
 * there are many blocks; without `is true` the planner would underestimate the bounds and look up each block by index.
 */
export function hoursStatement(
  source: 'rollup' | 'backfill',
  { slots, limits, spans }: WatchedSpans,
  leavesQuietOut: boolean,
  parameters: SqlParameters,
): string {
  const isRollup = source === 'rollup';
  const at = isRollup ? 'r.bucket' : 'r."time"';
  const columnsOf = (slot: number) =>
    isRollup ? [`r.min${slot}`, `r.max${slot}`, `r.cnt${slot}`] : [`r.v${slot}`, `r.v${slot}`, '1'];
  const [only] = slots;
  const isOne = slots.length === 1;
  const [min, max, count] = (isOne ? columnsOf(only as number) : ['s.l', 's.h', 's.c']) as [
    string,
    string,
    string,
  ];
  const each = slots.map((slot) => `(${[slot, ...columnsOf(slot)].join(', ')})`).join(', ');
  const { breach, clear } = conditionsOf(min, max, limits, parameters);
  const list = (values: readonly (string | number)[]) => parameters.add(values.map(String));
  const { first, last } = outerBounds(spans, parameters);
  return `select r.block_id, ${isOne ? only : 's.slot'}, ${!isRollup}, count(*)::int,
      array_send(array_agg(${count} * ${VALUES_UNIT}::float8 + floor(date_part('epoch', ${at}) / 3600) * 4
        + case when ${breach} then ${LOUD} when ${clear} then ${QUIET} else ${UNCLEAR} end))::text
    from ${isRollup ? 'rollup_1h' : 'samples_backfill'} r
    join unnest(${list(spans.map(({ blockId }) => blockId))}::text[]::int[],
      ${list(spans.map(({ from }) => iso(from)))}::text[]::timestamptz[],
      ${list(spans.map(({ to }) => iso(to)))}::text[]::timestamptz[],
      ${list(spans.map(({ mask }) => mask))}::text[]::int[]) as p (block_id, a, b, mask)
      on r.block_id = p.block_id and (${at} >= p.a and ${at} < p.b) is true
    ${isOne ? '' : `cross join lateral (values ${each}) as s (slot, l, h, c)`}
    where ${at} >= ${first} and ${at} < ${last} and ${max} is not null
      ${isOne ? '' : 'and (p.mask >> s.slot) & 1 = 1'}
      ${leavesQuietOut ? `and (${breach} or not (${clear}))` : ''}
    group by 1, 2`;
}

/**
 * SQL conditions on the minimum and maximum of an hour: whether a value may breach, and whether all values are past every
 * recovery threshold.
 */
function conditionsOf(l: string, h: string, limits: Limits | null, parameters: SqlParameters) {
  if (limits === null) return { breach: 'true', clear: 'false' };
  const { low, high, outside, clearAbove, clearBelow, margin } = limits;
  const number = (value: number) => `${parameters.add(String(value))}::float8`;
  const slack = margin === 0 ? '' : `${number(margin)} * greatest(abs(${l}), abs(${h}))`;
  const [least, greatest] = slack === '' ? [l, h] : [`${l} - ${slack}`, `${h} + ${slack}`];
  const breach = outside
    ? `(${least} < ${number(low)} or ${greatest} > ${number(high)})`
    : `(${greatest} >= ${number(low)} and ${least} <= ${number(high)})`;
  return { breach, clear: `${least} > ${number(clearAbove)} and ${greatest} < ${number(clearBelow)}` };
}
