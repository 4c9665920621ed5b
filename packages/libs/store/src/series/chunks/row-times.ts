import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { RollupRowReader } from '@tidewatch/domain/chunk/rollup-row';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { SqlParameters } from '../rows/sql-parameters.ts';
import type { Range, RowTimes, TimesTier } from '../series-columns.ts';
import { dateOf, dayAfter, dayOf } from './stored/day-relations.ts';
import { readEdgeTimes } from './stored/edge-times.ts';
import { readColumns, type StoredColumns } from './stored/read-columns.ts';

const NONE: RowTimes = { at: new Float64Array(), count: new Float64Array() };

/** Reads the times of rows, or their minutes, of any of the blocks. */
export async function readRowTimes(
  tx: Queryable,
  blockIds: readonly number[],
  range: Range,
  tier: TimesTier,
): Promise<RowTimes> {
  if (blockIds.length === 0 || range.from >= range.to) return NONE;
  const ids = [...new Set(blockIds)];
  const columns = await readColumns(
    tx,
    ids.map((blockId) => ({ blockId, ...range, mask: 0 })),
  );
  const counts = new Map<number, number>();
  const add = (at: number, count: number) => counts.set(at, Math.max(counts.get(at) ?? 0, count));
  const width = tier === 'raw' ? 1 : MINUTE_MS;
  for (const blockId of ids) {
    const times = columns.of(blockId).rowTimes(range);
    for (let row = 0; row < times.length; ) {
      const at = bucketOf(times[row] as number, width);
      const first = row;
      while (row < times.length && (times[row] as number) < at + width) row += 1;
      add(at, row - first);
    }
  }
  if (tier === '1m') await addMinutes(tx, ids, columns, range, add);
  const inOrder = [...counts].sort(([a], [b]) => a - b);
  return {
    at: Float64Array.from(inOrder, ([at]) => at),
    count: Float64Array.from(inOrder, ([, count]) => count),
  };
}

/** Adds the minutes of days whose samples are gone, with the max count of any slot. */
async function addMinutes(
  tx: Queryable,
  blockIds: readonly number[],
  columns: StoredColumns,
  range: Range,
  add: (at: number, count: number) => void,
): Promise<void> {
  const kept = (await readMinuteDays(tx, blockIds, range)).filter(({ blockId, day }) => {
    return !columns.of(blockId).hasStoredIn({ from: day, to: day + DAY_MS });
  });
  for (const row of await readMinuteRows(tx, kept))
    for (const [at, count] of minutesOf(row)) if (at >= range.from && at < range.to) add(at, count);
}

interface MinuteDay {
  blockId: number;
  /** ms. */
  day: number;
}

interface MinuteRow extends MinuteDay {
  bytes: Buffer;
}

async function readMinuteDays(
  tx: Queryable,
  blockIds: readonly number[],
  range: Range,
): Promise<MinuteDay[]> {
  const rows = (await tx
    .unsafe(
      `select m.block_id, (m.day - date '1970-01-01')::float8 from packed_minutes m
    where m.block_id = any($1::text[]::int[]) and m.day >= $2::text::date and m.day < $3::text::date`,
      [blockIds.map(String), dateOf(dayOf(range.from)), dateOf(dayAfter(range.to))] as never[],
      { prepare: true },
    )
    .values()) as unknown as [blockId: number, day: number][];
  return rows.map(([blockId, day]) => ({ blockId, day: day * DAY_MS }));
}

async function readMinuteRows(tx: Queryable, days: readonly MinuteDay[]): Promise<MinuteRow[]> {
  if (days.length === 0) return [];
  const parameters = new SqlParameters();
  const rows = (await tx
    .unsafe(
      `select m.block_id, (m.day - date '1970-01-01')::float8, m.data
      from unnest(${parameters.integers(days.map(({ blockId }) => blockId))},
        ${parameters.add(days.map(({ day }) => dateOf(day)))}::text[]::date[]) as p (block_id, day)
      join packed_minutes m on m.block_id = p.block_id and m.day = p.day`,
      parameters.values as never[],
      { prepare: true },
    )
    .values()) as unknown as [blockId: number, day: number, bytes: Buffer][];
  return rows.map(([blockId, day, bytes]) => ({ blockId, day: day * DAY_MS, bytes }));
}

/** The minutes of a row that have samples, in order, with the max count of any slot. */
function minutesOf({ day, bytes }: MinuteRow): [at: number, count: number][] {
  const reader = new RollupRowReader(bytes);
  const counts = new Float64Array(reader.steps);
  for (let slot = 0; slot < SLOTS_PER_BLOCK; slot += 1)
    for (const [step, count] of (reader.slot(slot)?.counts ?? []).entries())
      if (count > (counts[step] as number)) counts[step] = count;
  return Array.from(counts, (count, step): [number, number] => [day + step * MINUTE_MS, count]).filter(
    ([, count]) => count > 0,
  );
}

/** Reads the time of the first row, or of its minute, of any of the blocks, ms; null if there is none. */
export async function readFirstTime(
  tx: Queryable,
  blockIds: readonly number[],
  range: Range,
  tier: TimesTier,
): Promise<number | null> {
  if (blockIds.length === 0 || range.from >= range.to) return null;
  const spans = [...new Set(blockIds)].map((blockId) => ({ blockId, ...range }));
  const times = [...(await readEdgeTimes(tx, spans, 'first')).values()];
  const first = times.reduce((min, time) => Math.min(min, time), Number.POSITIVE_INFINITY);
  if (tier === 'raw') return Number.isFinite(first) ? first : null;
  const minute = await readFirstMinute(tx, blockIds, { from: range.from, to: Math.min(range.to, first) });
  const earliest = Math.min(minute, bucketOf(first, MINUTE_MS));
  return Number.isFinite(earliest) ? earliest : null;
}

/** The first minute with rollups, ms; Infinity if there is none. */
async function readFirstMinute(tx: Queryable, blockIds: readonly number[], range: Range): Promise<number> {
  // Two days, since all minutes of the first one may lie before the range.
  const rows = (await tx
    .unsafe(
      `select p.block_id, m.day, m.data from unnest($1::text[]::int[]) as p (block_id)
    cross join lateral (
      select (s.day - date '1970-01-01')::float8 as day, s.data from packed_minutes s
      where s.block_id = p.block_id and s.day >= $2::text::date and s.day < $3::text::date order by s.day limit 2
    ) m`,
      [blockIds.map(String), dateOf(dayOf(range.from)), dateOf(dayAfter(range.to))] as never[],
      { prepare: true },
    )
    .values()) as unknown as [blockId: number, day: number, bytes: Buffer][];
  const starts = rows.flatMap(([blockId, day, bytes]) =>
    minutesOf({ blockId, day: day * DAY_MS, bytes }).map(([at]) => at),
  );
  return starts
    .filter((at) => at >= range.from && at < range.to)
    .reduce((min, at) => Math.min(min, at), Number.POSITIVE_INFINITY);
}
