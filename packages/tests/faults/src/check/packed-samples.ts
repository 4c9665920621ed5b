import type { Sql } from '@tidewatch/database/connection';
import { rebuildRollups } from '@tidewatch/store/sample-days/rebuild';

/** The number of rows of the log that are not sealed. */
export async function countUnsealed(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from sample_log)::integer + (select count(*) from snapshot_log)::integer as count`;
  return row?.count ?? 0;
}

/** The number of the last transaction that was sealed; 0 before the first seal. */
export async function readSealedTo(sql: Sql): Promise<number> {
  const [row] = await sql<{ sealed: number }[]>`
    select coalesce(max(sealed_to), 0) as sealed from sample_buckets`;
  return row?.sealed ?? 0;
}

/** What is in the log of samples: the numbers of its first and last transaction, and bytes. */
export async function readUnsealed(sql: Sql): Promise<{ first: number; last: number; bytes: number }> {
  const [row] = await sql<{ first: number; last: number; bytes: number }[]>`
    select coalesce(min(seq), 0) as first, coalesce(max(seq), 0) as last, coalesce(sum(octet_length(data)), 0)::float8 as bytes
    from sample_log`;
  return row ?? { first: 0, last: 0, bytes: 0 };
}

/** Whether every transaction of the log up to this number is sealed. */
export async function isSealedTo(sql: Sql, seq: number): Promise<boolean> {
  const [row] = await sql`select from sample_log where seq <= ${seq} limit 1`;
  return row === undefined;
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
