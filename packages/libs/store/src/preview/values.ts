import type { Transaction } from '@tidewatch/database/connection';
import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import type { Tier } from '@tidewatch/domain/rollup/buckets';
import { summandOf } from '../rollups/summand.ts';
import { type BlockFacts, spansOf } from '../series/rows/spans.ts';
import { iso, outerBounds, SqlParameters } from '../series/rows/sql-parameters.ts';

/** A range `[from, to)` of one slot to read, ms. */
export interface Leg {
  blockId: number;
  slot: number;
  facts: BlockFacts;
  from: number;
  to: number;
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
  least: Float64Array;
  greatest: Float64Array;
  mean: Float64Array;
}

/** The number of sample times read before a range: one more than the number of intervals of the usual interval. */
const TIMES_BEFORE = 10;

type Source = 'raw' | '1m' | 'raw by minute' | 'backfill by minute';
type Role = 'all' | 'first' | 'before';

interface Part {
  leg: number;
  blockId: number;
  slot: number;
  from: number;
  to: number;
  source: Source;
  role: Role;
}

type Row = [
  ...[leg: number, before: boolean, count: number, at: string],
  ...[least: string, greatest: string | null, mean: string | null],
];

export interface ValuesOptions {
  /** The time from which on each tier has all rows, ms. */
  retained: Readonly<Record<Tier, number>>;
  /** Whether to read the means of minutes; otherwise they are set to the minimum. */
  withMean: boolean;
}

/** Reads several ranges by one statement; returns their values in the same order. */
export async function readValues(
  tx: Transaction,
  tier: 'raw' | '1m',
  legs: readonly Leg[],
  { retained, withMean }: ValuesOptions,
): Promise<Values[]> {
  const parts = legs.flatMap((leg, index) => partsOf(leg, index, tier, retained));
  if (parts.length === 0) return legs.map(() => NO_VALUES);
  const parameters = new SqlParameters();
  const text = [...Map.groupBy(parts, ({ source, role, slot }) => `${source}/${role}/${slot}`).values()]
    .map((own) => statementOf(own as [Part, ...Part[]], withMean, parameters))
    .join(' union all ');
  const rows = (await tx.unsafe(text, parameters.values as never[]).values()) as unknown as Row[];
  const rowsOf = Map.groupBy(rows, ([leg]) => leg);
  return legs.map((_, index) => valuesOf(rowsOf.get(index) ?? []));
}

function partsOf(
  leg: Leg,
  index: number,
  tier: 'raw' | '1m',
  retained: Readonly<Record<Tier, number>>,
): Part[] {
  const { blockId, slot, facts, from, to, firstOnly, timesSince, hasBackfill } = leg;
  const role = firstOnly ? 'first' : 'all';
  const part = (source: Source, span: { from: number; to: number }): Part => {
    return { leg: index, blockId, slot, from: span.from, to: span.to, source, role };
  };
  const parts: Part[] = [];
  if (tier === 'raw') parts.push(part('raw', leg));
  else {
    const spans = spansOf('1m', { from, to }, retained, [facts]);
    parts.push(...spans['1m'].map((span) => part('1m', span)));
    parts.push(...spans.raw.map((span) => part('raw by minute', span)));
    if (hasBackfill && from < retained.raw) parts.push(part('backfill by minute', leg));
  }
  if (timesSince !== null && timesSince < from)
    parts.push({ ...part(tier, { from: timesSince, to: from }), role: 'before' });
  return parts;
}

/** SQL that selects one row with packed arrays for each range, which is cheaper than a row for each value. */
function statementOf(parts: [Part, ...Part[]], withMean: boolean, parameters: SqlParameters): string {
  const [{ source, role, slot }] = parts;
  const ids = (of: (part: Part) => string | number) => parameters.add(parts.map((part) => String(of(part))));
  const { first, last } = outerBounds(parts, parameters);
  const value = source === '1m' ? `r.max${slot}` : `r.v${slot}`;
  const at = source === '1m' ? 'r.bucket' : 'r."time"';
  const table =
    source === '1m' ? 'rollup_1m' : source === 'backfill by minute' ? 'samples_backfill' : 'samples';
  const where = `from ${table} r where r.block_id = p.block_id and ${at} >= p.a and ${at} < p.b
    and ${at} >= ${first} and ${at} < ${last} and ${value} is not null`;
  const epoch = (time: string) => `date_part('epoch', ${time}) * 1000`;
  const order =
    role === 'all'
      ? 'offset 0'
      : role === 'first'
        ? 'order by 1 limit 1'
        : `order by 1 desc limit ${TIMES_BEFORE}`;
  const pack = (column: string) => `array_send(array_agg(x.${column}))::text`;
  const isSample = source === 'raw' || role === 'before';
  const inner = isSample
    ? `select ${at} as t, ${value} as l ${where} ${order}`
    : source === '1m'
      ? `select r.bucket as t, r.min${slot} as l, r.max${slot} as h, r.sum${slot} / r.cnt${slot} as m ${where} ${order}`
      : `select date_bin(interval '1 minute', ${at}, timestamptz '1970-01-01 00:00:00+00') as t,
          min(${value}) as l, max(${value}) as h, avg(${summandOf(value)}) as m ${where} group by 1 ${order}`;
  const columns = isSample
    ? `${pack('l')} as l, null as h, null as m`
    : `${pack('l')} as l, ${pack('h')} as h, ${withMean ? pack('m') : 'null'} as m`;
  return `select p.leg, ${role === 'before'}, y.* from unnest(${ids(({ leg }) => leg)}::text[]::int[],
      ${ids(({ blockId }) => blockId)}::text[]::int[], ${ids(({ from }) => iso(from))}::text[]::timestamptz[],
      ${ids(({ to }) => iso(to))}::text[]::timestamptz[]) as p (leg, block_id, a, b)
    cross join lateral (
      select count(*)::int as count, array_send(array_agg(${epoch('x.t')}))::text as at, ${columns} from (${inner}) x
    ) y where y.count > 0`;
}

const NOTHING = new Float64Array(0);
const NO_VALUES: Values = { before: NOTHING, at: NOTHING, least: NOTHING, greatest: NOTHING, mean: NOTHING };

function valuesOf(rows: readonly Row[]): Values {
  const before = rows.find(([, isBefore]) => isBefore);
  const times = before === undefined ? NOTHING : timesOf(before);
  const parts = rows.filter(([, isBefore]) => !isBefore).map(columnsOf);
  const values = { ...NO_VALUES, ...(parts.length === 1 ? parts[0] : merged(parts)), before: times.sort() };
  return isInOrder(values.at) ? values : { ...merged([values]), before: times };
}

type Columns = Omit<Values, 'before'>;

function columnsOf(row: Row): Columns {
  const [, , count, , packedLeast, packedGreatest, packedMean] = row;
  const least = new Float64Array(count);
  unpackNumbers(packedLeast, least);
  const at = timesOf(row);
  if (packedGreatest === null) return { at, least, greatest: least, mean: least };
  const greatest = new Float64Array(count);
  unpackNumbers(packedGreatest, greatest);
  if (packedMean === null) return { at, least, greatest, mean: least };
  const mean = new Float64Array(count);
  unpackNumbers(packedMean, mean);
  return { at, least, greatest, mean };
}

function timesOf([, , count, packed]: Row): Float64Array {
  const at = new Float64Array(count);
  unpackNumbers(packed, at);
  // Rounds times, since seconds since the epoch as a double are inexact by a fraction of a microsecond.
  for (let i = 0; i < count; i += 1) at[i] = Math.round(at[i] as number);
  return at;
}

function isInOrder(at: Float64Array): boolean {
  for (let i = 1; i < at.length; i += 1) if ((at[i] as number) <= (at[i - 1] as number)) return false;
  return true;
}

/** Merges parts in order of time; a minute that occurs in several is combined, with the mean of the means. */
function merged(parts: readonly Columns[]): Columns {
  const rows = parts.flatMap(({ at, least, greatest, mean }) =>
    Array.from(at, (time, i) => ({
      time,
      least: least[i] as number,
      greatest: greatest[i] as number,
      mean: mean[i] as number,
    })),
  );
  const minutes = [...Map.groupBy(rows, ({ time }) => time).values()].sort(
    ([a], [b]) => (a?.time as number) - (b?.time as number),
  );
  return {
    at: Float64Array.from(minutes, (of) => of[0]?.time as number),
    least: Float64Array.from(minutes, (of) => Math.min(...of.map(({ least }) => least))),
    greatest: Float64Array.from(minutes, (of) => Math.max(...of.map(({ greatest }) => greatest))),
    mean: Float64Array.from(minutes, (of) => of.reduce((sum, { mean }) => sum + mean, 0) / of.length),
  };
}
