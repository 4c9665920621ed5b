import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Limits } from '@tidewatch/domain/preview/limits';
import { LOUD, QUIET, UNCLEAR } from '@tidewatch/domain/preview/stretches';
import { iso, outerBounds, type SqlParameters } from './parameters.ts';

/** Ranges `[from, to)` of blocks, ms; in all of them the values of `slot` are compared with `limits`. */
export interface WatchedSpans {
  slot: number;
  /** The limits of values without a breach; null if minimum and maximum do not decide, so any hour may have one. */
  limits: Limits | null;
  spans: readonly { blockId: number; from: number; to: number }[];
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
 * Selects the hours of the slot in each block, one row per block. The table is joined so that it is read once in physical order if
 * there are many blocks; without `is true` the planner would underestimate the bounds and look up each block by index.
 */
export function hoursStatement(
  source: 'rollup' | 'backfill',
  { slot, limits, spans }: WatchedSpans,
  leavesQuietOut: boolean,
  parameters: SqlParameters,
): string {
  const isRollup = source === 'rollup';
  const at = isRollup ? 'r.bucket' : 'r."time"';
  const [min, max, count] = isRollup
    ? [`r.min${slot}`, `r.max${slot}`, `r.cnt${slot}`]
    : [`r.v${slot}`, `r.v${slot}`, '1'];
  const { breach, clear } = conditionsOf(min, max, limits, parameters);
  const list = (values: readonly (string | number)[]) => parameters.add(values.map(String));
  const { first, last } = outerBounds(spans, parameters);
  return `select r.block_id, ${slot}, ${!isRollup}, count(*)::int,
      array_send(array_agg(${count} * ${VALUES_UNIT}::float8 + floor(date_part('epoch', ${at}) / 3600) * 4
        + case when ${breach} then ${LOUD} when ${clear} then ${QUIET} else ${UNCLEAR} end))::text
    from ${isRollup ? 'rollup_1h' : 'samples_backfill'} r
    join unnest(${list(spans.map(({ blockId }) => blockId))}::text[]::int[],
      ${list(spans.map(({ from }) => iso(from)))}::text[]::timestamptz[],
      ${list(spans.map(({ to }) => iso(to)))}::text[]::timestamptz[]) as p (block_id, a, b)
      on r.block_id = p.block_id and (${at} >= p.a and ${at} < p.b) is true
    where ${at} >= ${first} and ${at} < ${last} and ${max} is not null
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
