import type { Queryable } from '@tidewatch/database/connection';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import type { Range, RowTimes, TimesTier } from '../series-columns.ts';
import { SqlParameters } from './sql-parameters.ts';

/** These statements have few texts, whatever is asked. */
const PREPARED = { prepare: true };
const MINUTE_OF_ROW = `date_bin(interval '1 minute', r."time", timestamptz '1970-01-01 00:00:00+00')`;
const COUNTS = Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => `r.cnt${slot}`).join(', ');

/** Reads the times of rows, or their minutes, of any of the blocks. */
export async function readRowTimes(
  tx: Queryable,
  blockIds: readonly number[],
  range: Range,
  tier: TimesTier,
): Promise<RowTimes> {
  if (blockIds.length === 0 || range.from >= range.to) return rowTimesOf([]);
  const { ids, within, values } = conditionsOf(blockIds, range);
  const at = tier === 'raw' ? 'r."time"' : MINUTE_OF_ROW;
  const samples = `select r.block_id, ${at} as at, count(*)::float8 as count from samples r
    where ${within('r."time"')} group by 1, 2`;
  const minutes = `select r.block_id, r.bucket, greatest(${COUNTS})::float8 from rollup_1m r
    where ${within('r.bucket')}`;
  const rows = (await tx
    .unsafe(
      `select date_part('epoch', x.at) * 1000, max(x.count)
      from unnest(${ids}::text[]::int[]) as p (block_id)
      cross join lateral (${tier === 'raw' ? samples : `(${samples}) union all (${minutes})`}) x
      group by x.at order by x.at`,
      values as never[],
      PREPARED,
    )
    .values()) as unknown as [at: number, count: number][];
  return rowTimesOf(rows);
}

function rowTimesOf(rows: readonly [at: number, count: number][]): RowTimes {
  return {
    at: Float64Array.from(rows, ([at]) => Math.round(at)),
    count: Float64Array.from(rows, ([, count]) => count),
  };
}

/** Reads the time of the first row, or of its minute, of any of the blocks, ms; null if there is none. */
export async function readFirstTime(
  tx: Queryable,
  blockIds: readonly number[],
  range: Range,
  tier: TimesTier,
): Promise<number | null> {
  if (blockIds.length === 0 || range.from >= range.to) return null;
  const { ids, within, values } = conditionsOf(blockIds, range);
  const samples = `select ${tier === 'raw' ? 'r."time"' : MINUTE_OF_ROW} as at from samples r
    where ${within('r."time"')} order by r."time" limit 1`;
  const minutes = `select r.bucket from rollup_1m r where ${within('r.bucket')} order by r.bucket limit 1`;
  const [row] = (await tx
    .unsafe(
      `select min(x.at) from unnest(${ids}::text[]::int[]) as p (block_id)
      cross join lateral (${tier === 'raw' ? samples : `(${samples}) union all (${minutes})`}) x`,
      values as never[],
      PREPARED,
    )
    .values()) as unknown as [at: number | null][];
  return row?.[0] ?? null;
}

function conditionsOf(blockIds: readonly number[], { from, to }: Range) {
  const parameters = new SqlParameters();
  const ids = parameters.add([...new Set(blockIds)].map(String));
  const [first, last] = [parameters.time(from), parameters.time(to)];
  const within = (at: string) => `r.block_id = p.block_id and ${at} >= ${first} and ${at} < ${last}`;
  return { ids, within, values: parameters.values };
}
