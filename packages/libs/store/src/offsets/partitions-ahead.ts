import type { Queryable } from '../connection.ts';

/** Partitions of which one consumer has applied more than another, as far as both have committed. */
export async function partitionsAhead(sql: Queryable, first: string, second: string): Promise<Set<number>> {
  const rows = await sql<{ partition: number }[]>`
    select a.partition from consumer_offsets a
    left join consumer_offsets b on b.topic = a.topic and b.partition = a.partition and b.consumer = ${second}
    where a.consumer = ${first} and a.next_offset is not null
      and (b.next_offset is null or a.next_offset > b.next_offset)`;
  return new Set(rows.map((row) => row.partition));
}
