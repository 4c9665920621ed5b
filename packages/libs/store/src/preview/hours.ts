import type { Limits } from '@tidewatch/domain/preview/limits';
import { type Hour, LOUD, QUIET, UNCLEAR } from '@tidewatch/domain/preview/stretches';
import { bucketOf, HOUR_MS, type Tier } from '@tidewatch/domain/rollup/tier';
import type { Transaction } from '../connection.ts';
import { unpackNumbers } from '../queries/packed-numbers.ts';
import { type BlockFacts, type Span, spansOf } from '../queries/series-spans.ts';
import { iso, outerBounds, SqlParameters } from './parameters.ts';
import { readQuietNeighbours } from './quiet-neighbours.ts';

/** One slot of a block, and what its values must stay within; null where their extremes do not tell. */
export interface WatchedSlot {
  blockId: number;
  slot: number;
  limits: Limits | null;
  facts: BlockFacts;
}

export interface HoursWanted {
  /** `[from, to)`, ms. */
  from: number;
  to: number;
  /** From when on each tier holds everything, ms. */
  retained: Readonly<Record<Tier, number>>;
  /** Quiet hours only where they matter to samples that are judged as they are, by rules that do not keep firing. */
  leavesQuietOut: boolean;
}

/** What a block holds in the range. */
export interface HoursOfBlock {
  /** In order. */
  hours: readonly Hour[];
  /** Whether some of it was older than raw retention when it came. */
  hasBackfill: boolean;
}

/** What an hour that has no rollup yet is expected to hold; more than two of them in a row are mostly empty. */
const UNKNOWN_VALUES = 60;
const UNKNOWN_HOURS = 2;
/** An hour is coded as one number: how many values it has, times this, and hours since the epoch times 4, and loudness. */
const VALUES_UNIT = 2 ** 23;

/** The hours of each block that hold something or may, by block id. */
export async function readHours(
  tx: Transaction,
  watched: readonly WatchedSlot[],
  { from, to, retained, leavesQuietOut }: HoursWanted,
): Promise<Map<number, HoursOfBlock>> {
  const hours = new Map<number, Map<number, Hour>>(watched.map(({ blockId }) => [blockId, new Map()]));
  const known: (Span & { place: number })[] = [];
  for (const [place, { blockId, facts }] of watched.entries()) {
    const spans = spansOf('1h', { from, to }, retained, [facts]);
    known.push(...spans['1h'].map((span) => ({ ...span, place })));
    for (const span of [...spans['1m'], ...spans.raw]) addUnknown(hours.get(blockId), span);
  }
  const late =
    from >= retained.raw ? [] : watched.map(({ blockId }, place) => ({ blockId, from, to, place }));
  const parameters = new SqlParameters();
  const parts = [
    ...partsOf('rollup', known, watched, parameters, leavesQuietOut),
    ...partsOf('backfill', late, watched, parameters, false),
  ];
  const backfilled = new Set<number>();
  if (parts.length > 0) {
    const rows = (await tx
      .unsafe(parts.join(' union all '), parameters.values as never[])
      .values()) as unknown as [blockId: number, isBackfill: boolean, count: number, codes: string][];
    for (const [blockId, isBackfill, count, packed] of rows) {
      if (isBackfill) backfilled.add(blockId);
      const codes = new Float64Array(count);
      unpackNumbers(packed, codes);
      const own = hours.get(blockId);
      for (const code of codes) {
        const hour = code % VALUES_UNIT;
        addHour(own, Math.floor(hour / 4) * HOUR_MS, hour % 4, Math.floor(code / VALUES_UNIT));
      }
    }
  }
  if (leavesQuietOut) await addNeighbours(tx, watched, hours, { from, to });
  return new Map(
    [...hours].map(([blockId, own]) => [
      blockId,
      { hours: inOrder(own), hasBackfill: backfilled.has(blockId) },
    ]),
  );
}

async function addNeighbours(
  tx: Transaction,
  watched: readonly WatchedSlot[],
  hours: ReadonlyMap<number, Map<number, Hour>>,
  range: { from: number; to: number },
): Promise<void> {
  const known = watched.map(({ blockId, slot }) => {
    return { blockId, slot, hours: inOrder(hours.get(blockId) as Map<number, Hour>) };
  });
  for (const [blockId, found] of await readQuietNeighbours(tx, known, range)) {
    const own = hours.get(blockId);
    const fresh = found.filter(({ start }) => own?.has(start) === false);
    for (const hour of fresh) own?.set(hour.start, hour);
  }
}

function inOrder(hours: ReadonlyMap<number, Hour>): Hour[] {
  return [...hours.values()].sort((a, b) => a.start - b.start);
}

function addUnknown(own: Map<number, Hour> | undefined, span: Span): void {
  const first = bucketOf(span.from, HOUR_MS);
  for (let start = first; start < span.to; start += HOUR_MS)
    addHour(own, start, LOUD, start < first + UNKNOWN_HOURS * HOUR_MS ? UNKNOWN_VALUES : 0);
}

function addHour(own: Map<number, Hour> | undefined, start: number, loudness: number, values: number): void {
  const hour = own?.get(start);
  if (hour === undefined) own?.set(start, { start, loudness, values });
  else {
    hour.loudness = Math.max(hour.loudness, loudness);
    hour.values += values;
  }
}

/** One part of the statement for each slot: a row for each block, with a code for each of its hours, in no order. */
function partsOf(
  source: 'rollup' | 'backfill',
  spans: readonly (Span & { place: number })[],
  watched: readonly WatchedSlot[],
  parameters: SqlParameters,
  leavesQuietOut: boolean,
): string[] {
  const bySlot = Map.groupBy(spans, ({ place }) => (watched[place] as WatchedSlot).slot);
  return [...bySlot].map(([slot, own]) => {
    const limits = own.map(({ place }) => (watched[place] as WatchedSlot).limits ?? NOTHING_IS_QUIET);
    const add = (values: readonly unknown[]) => parameters.add(values.map(String));
    const { first, last } = outerBounds(own, parameters);
    const columns =
      source === 'rollup'
        ? `r.bucket as at, r.min${slot} as l, r.max${slot} as h, r.cnt${slot} as c`
        : `r."time" as at, r.v${slot} as l, r.v${slot} as h, 1 as c`;
    const at = source === 'rollup' ? 'r.bucket' : 'r."time"';
    const from = source === 'rollup' ? 'rollup_1h r' : 'samples_backfill r';
    const value = source === 'rollup' ? `r.max${slot}` : `r.v${slot}`;
    const { breach, clear } = conditionsOf('x.l', 'x.h', limits);
    const inner = conditionsOf(`r.min${slot}`, `r.max${slot}`, limits);
    return `select p.block_id, ${source === 'backfill'}, count(*)::int,
        array_send(array_agg(x.c * ${VALUES_UNIT}::float8 + floor(date_part('epoch', x.at) / 3600) * 4
          + case when ${breach} then ${LOUD} when ${clear} then ${QUIET} else ${UNCLEAR} end))::text
      from unnest(${add(own.map(({ blockId }) => blockId))}::text[]::int[],
        ${add(own.map((span) => iso(span.from)))}::text[]::timestamptz[],
        ${add(own.map((span) => iso(span.to)))}::text[]::timestamptz[],
        ${add(limits.map(({ low }) => low))}::text[]::float8[], ${add(limits.map(({ high }) => high))}::text[]::float8[],
        ${add(limits.map(({ outside }) => outside))}::text[]::boolean[],
        ${add(limits.map(({ clearAbove }) => clearAbove))}::text[]::float8[],
        ${add(limits.map(({ clearBelow }) => clearBelow))}::text[]::float8[],
        ${add(limits.map(({ margin }) => margin))}::text[]::float8[])
        as p (block_id, a, b, low, high, outside, above, below, margin)
      cross join lateral (
        select ${columns} from ${from}
        where r.block_id = p.block_id and ${at} >= p.a and ${at} < p.b and ${at} >= ${first} and ${at} < ${last}
          and ${value} is not null ${leavesQuietOut ? `and (${inner.breach} or not (${inner.clear}))` : ''}
        offset 0
      ) x
      group by p.block_id`;
  });
}

/** Whether a value between these two may breach, and whether all are past every recovery threshold; as short as the limits let. */
function conditionsOf(l: string, h: string, limits: readonly Limits[]): { breach: string; clear: string } {
  const margin = limits.every((each) => each.margin === 0) ? '' : `p.margin * greatest(abs(${l}), abs(${h}))`;
  const [least, greatest] = margin === '' ? [l, h] : [`${l} - ${margin}`, `${h} + ${margin}`];
  const inside = `${greatest} >= p.low and ${least} <= p.high`;
  const beyond = `${least} < p.low or ${greatest} > p.high`;
  const outside = new Set(limits.map((each) => each.outside));
  const breach =
    outside.size === 2
      ? `case when p.outside then ${beyond} else ${inside} end`
      : `(${outside.has(true) ? beyond : inside})`;
  return { breach, clear: `${least} > p.above and ${greatest} < p.below` };
}

/** Every value is one that may breach. */
const NOTHING_IS_QUIET: Limits = {
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
  outside: false,
  clearAbove: Number.NEGATIVE_INFINITY,
  clearBelow: Number.POSITIVE_INFINITY,
  margin: 0,
};
