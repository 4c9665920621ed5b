import type { Queryable } from '@tidewatch/database/connection';
import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import { summandOf } from '../../rollups/summand.ts';
import type { MinuteSpan, Minutes, MinutesOptions, PlaceSpan, TimesTier } from '../series-columns.ts';
import { factsOf } from './known-rows.ts';
import { type BlockFacts, spansOf } from './spans.ts';
import { outerBounds, SqlParameters } from './sql-parameters.ts';

type Source = '1m' | 'raw' | 'backfill';

/** A stretch of a span that is read from one source. */
interface Part extends PlaceSpan {
  /** The index of the span. */
  span: number;
  source: Source;
  firstOnly: boolean;
  /** Whether another part of the span may have the same minutes, so that means alone do not suffice. */
  sharesMinutes: boolean;
}

type Row = [
  ...[span: number, count: number, at: string],
  ...[min: string, max: string, sum: string | null, counts: string | null],
];

/** Reads the minutes of several spans by one statement, in the order of the spans. */
export async function readMinutes(
  tx: Queryable,
  spans: readonly MinuteSpan[],
  { retained, withMean }: MinutesOptions,
): Promise<Minutes[]> {
  const facts = await factsOfSpans(tx, spans);
  const parts = spans.flatMap((span, index): Part[] => {
    const { blockId, slot, from, to, firstOnly = false } = span;
    const sharesMinutes = span.mayBeBackfilled && from < retained.raw;
    const part = (source: Source, stretch: { from: number; to: number }): Part => {
      return {
        span: index,
        blockId,
        slot,
        from: stretch.from,
        to: stretch.to,
        source,
        firstOnly,
        sharesMinutes,
      };
    };
    const own = facts.get(span);
    const stretches = spansOf('1m', { from, to }, retained, own === undefined ? [] : [own]);
    return [
      ...stretches['1m'].map((stretch) => part('1m', stretch)),
      ...stretches.raw.map((stretch) => part('raw', stretch)),
      ...(sharesMinutes ? [part('backfill', span)] : []),
    ];
  });
  if (parts.length === 0) return spans.map(() => NO_MINUTES);
  const parameters = new SqlParameters();
  const text = [
    ...Map.groupBy(
      parts,
      ({ source, firstOnly, slot, sharesMinutes }) => `${source}/${firstOnly}/${slot}/${sharesMinutes}`,
    ).values(),
  ]
    .map((own) => statementOf(own as [Part, ...Part[]], withMean, parameters))
    .join(' union all ');
  const rows = (await tx.unsafe(text, parameters.values as never[]).values()) as unknown as Row[];
  const rowsOf = Map.groupBy(rows, ([span]) => span);
  return spans.map((_, index) => minutesOf(rowsOf.get(index) ?? []));
}

/** How far the block of each span is rolled up. */
async function factsOfSpans(
  tx: Queryable,
  spans: readonly MinuteSpan[],
): Promise<Map<MinuteSpan, BlockFacts>> {
  const found = new Map<MinuteSpan, BlockFacts>();
  for (const [known, alike] of Map.groupBy(spans, (span) => span.known)) {
    const blockIds = [...new Set(alike.map(({ blockId }) => blockId))];
    const range = {
      from: alike.reduce((min, { from }) => Math.min(min, from), Number.POSITIVE_INFINITY),
      to: alike.reduce((max, { to }) => Math.max(max, to), Number.NEGATIVE_INFINITY),
    };
    const facts = await factsOf(tx, blockIds, range, known);
    const byBlock = new Map(facts.map((each) => [each.blockId, each]));
    for (const span of alike) {
      const own = byBlock.get(span.blockId);
      if (own !== undefined) found.set(span, own);
    }
  }
  return found;
}

/** SQL that selects one row with packed arrays for each part, which is cheaper than a row for each minute. */
function statementOf(parts: [Part, ...Part[]], withMean: boolean, parameters: SqlParameters): string {
  const [{ source, firstOnly, slot, sharesMinutes }] = parts;
  const { first, last } = outerBounds(parts, parameters);
  const isRollup = source === '1m';
  const value = isRollup ? `r.max${slot}` : `r.v${slot}`;
  const at = isRollup ? 'r.bucket' : 'r."time"';
  const table = isRollup ? 'rollup_1m' : source === 'raw' ? 'samples' : 'samples_backfill';
  const where = `from ${table} r where r.block_id = p.block_id and ${at} >= p.a and ${at} < p.b
    and ${at} >= ${first} and ${at} < ${last} and ${value} is not null`;
  const order = firstOnly ? 'order by 1 limit 1' : 'offset 0';
  const inner = isRollup
    ? `select r.bucket as t, r.min${slot} as l, r.max${slot} as h, r.sum${slot} as s, r.cnt${slot}::float8 as c ${where} ${order}`
    : `select date_bin(interval '1 minute', ${at}, timestamptz '1970-01-01 00:00:00+00') as t, min(${value}) as l,
        max(${value}) as h, sum(${summandOf(value)}) as s, count(*)::float8 as c ${where} group by 1 ${order}`;
  const pack = (column: string) => `array_send(array_agg(${column}))::text`;
  return `select p.span, y.* from unnest(${parameters.integers(parts.map(({ span }) => span))},
      ${parameters.integers(parts.map(({ blockId }) => blockId))}, ${parameters.times(parts.map(({ from }) => from))},
      ${parameters.times(parts.map(({ to }) => to))}) as p (span, block_id, a, b)
    cross join lateral (
      select count(*)::int as count, ${pack(`date_part('epoch', x.t) * 1000`)} as at, ${pack('x.l')} as min,
        ${pack('x.h')} as max, ${withMean ? pack(sharesMinutes ? 'x.s' : 'x.s / x.c') : 'null'} as sum,
        ${withMean && sharesMinutes ? pack('x.c') : 'null'} as counts
      from (${inner}) x
    ) y where y.count > 0`;
}

/** Minutes with the sums and counts that their means are computed from. */
interface SummedMinutes extends Omit<Minutes, 'mean'> {
  /** Null if means are not asked for. */
  sum: Float64Array | null;
  /** Null if the sums are means. */
  counts: Float64Array | null;
}

const NOTHING = new Float64Array();
const NO_MINUTES: Minutes = { at: NOTHING, min: NOTHING, max: NOTHING, mean: NOTHING };

function minutesOf(rows: readonly Row[]): Minutes {
  const parts = rows.map(columnsOf);
  const [only] = parts;
  if (only === undefined) return NO_MINUTES;
  const { at, min, max, sum, counts } = parts.length === 1 && isInOrder(only.at) ? only : merged(parts);
  if (sum === null) return { at, min, max, mean: min };
  if (counts === null) return { at, min, max, mean: sum };
  return { at, min, max, mean: sum.map((each, index) => each / (counts[index] as number)) };
}

function columnsOf([, count, at, min, max, sum, counts]: Row): SummedMinutes {
  const unpacked = (packed: string) => {
    const column = new Float64Array(count);
    unpackNumbers(packed, column);
    return column;
  };
  return {
    // Rounds times, since seconds since the epoch as a double are inexact by a fraction of a microsecond.
    at: unpacked(at).map(Math.round),
    min: unpacked(min),
    max: unpacked(max),
    sum: sum === null ? null : unpacked(sum),
    counts: counts === null ? null : unpacked(counts),
  };
}

function isInOrder(at: Float64Array): boolean {
  for (let i = 1; i < at.length; i += 1) if ((at[i] as number) <= (at[i - 1] as number)) return false;
  return true;
}

/** Merges parts in order of time; a minute that occurs in several is combined. */
function merged(parts: readonly SummedMinutes[]): SummedMinutes {
  const rows = parts.flatMap(({ at, min, max, sum, counts }) =>
    Array.from(at, (time, i) => ({
      time,
      min: min[i] as number,
      max: max[i] as number,
      sum: sum?.[i] ?? 0,
      count: counts?.[i] ?? 1,
    })),
  );
  const minutes = [...Map.groupBy(rows, ({ time }) => time)].sort(([a], [b]) => a - b);
  const column = (of: (own: typeof rows) => number) => Float64Array.from(minutes, ([, own]) => of(own));
  const withMean = parts.every(({ sum }) => sum !== null);
  return {
    at: Float64Array.from(minutes, ([time]) => time),
    min: column((own) => Math.min(...own.map(({ min }) => min))),
    max: column((own) => Math.max(...own.map(({ max }) => max))),
    sum: withMean ? column((own) => own.reduce((total, { sum }) => total + sum, 0)) : null,
    counts: withMean ? column((own) => own.reduce((total, { count }) => total + count, 0)) : null,
  };
}

/** Reads the times of the newest values of each span, or their minutes as far as they are rolled up, at most `max`, oldest first. */
export async function readLastTimes(
  tx: Queryable,
  spans: readonly PlaceSpan[],
  tier: TimesTier,
  max: number,
): Promise<Float64Array[]> {
  const found = spans.map(() => NOTHING);
  if (spans.length === 0) return found;
  const parameters = new SqlParameters();
  const { first, last } = outerBounds(spans, parameters);
  const numbered = spans.map((span, index) => ({ ...span, index }));
  const [table, at, column] =
    tier === 'raw' ? ['samples', 'r."time"', 'v'] : ['rollup_1m', 'r.bucket', 'max'];
  const parts = [...Map.groupBy(numbered, ({ slot }) => slot)].map(
    ([slot, own]) => `select p.index, y.* from unnest(${parameters.integers(own.map(({ index }) => index))},
        ${parameters.integers(own.map(({ blockId }) => blockId))}, ${parameters.times(own.map(({ from }) => from))},
        ${parameters.times(own.map(({ to }) => to))}) as p (index, block_id, a, b)
      cross join lateral (
        select count(*)::int as count, array_send(array_agg(date_part('epoch', x.t) * 1000))::text as at from (
          select ${at} as t from ${table} r where r.block_id = p.block_id and ${at} >= p.a and ${at} < p.b
            and ${at} >= ${first} and ${at} < ${last} and r.${column}${slot} is not null
          order by 1 desc limit ${max}) x
      ) y where y.count > 0`,
  );
  const rows = (await tx
    .unsafe(parts.join(' union all '), parameters.values as never[])
    .values()) as unknown as [index: number, count: number, at: string][];
  for (const [index, count, packed] of rows) {
    const times = new Float64Array(count);
    unpackNumbers(packed, times);
    found[index] = times.map(Math.round).sort();
  }
  return found;
}
