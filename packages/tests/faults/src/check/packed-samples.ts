import type { Sql } from '@tidewatch/database/connection';
import { rebuildRollups } from '@tidewatch/store/sample-days/rebuild';

/** The number of rows of the log that are not sealed. */
export async function countUnsealed(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from sample_log)::integer + (select count(*) from snapshot_log)::integer as count`;
  return row?.count ?? 0;
}

/** Returns descriptions of chunks that overlap or cross midnight, and of rollups of closed days that their samples do not give. */
export async function comparePacked(sql: Sql): Promise<string[]> {
  const misplaced = await sql<{ block_id: number; first: number; last: number }[]>`
    select block_id, first, last from (
      select block_id, first, last, lag(last) over (partition by block_id order by first) as before from sample_chunks
    ) c
    where first > last or first <= before or date_trunc('day', first, 'UTC') <> date_trunc('day', last, 'UTC')`;
  const { differences } = await rebuildRollups(sql, {
    from: Number.NEGATIVE_INFINITY,
    to: Number.POSITIVE_INFINITY,
    repairs: false,
  });
  return [
    ...misplaced.map((chunk) => `chunk ${JSON.stringify(chunk)} overlaps another or crosses midnight`),
    ...differences.map((rollup) => `rollups ${JSON.stringify(rollup)} differ from their samples`),
  ];
}
