import type { Queryable } from '../database/connection.ts';

/** Remembers a topic with another number of partitions; one that was never seen is remembered at its first sight. */
export async function resizeTopic(sql: Queryable, topic: string, partitions: number): Promise<void> {
  await sql`update bus_topics set partitions = ${partitions} where topic = ${topic}`;
}

/** Where a consumer stands in each partition of a topic that it ever read. */
export async function readPositions(
  sql: Queryable,
  consumer: string,
  topic: string,
): Promise<{ partition: number; nextOffset: bigint | null }[]> {
  const rows = await sql<{ partition: number; next: number | bigint | null }[]>`
    select partition, next_offset as next from consumer_offsets where consumer = ${consumer} and topic = ${topic}`;
  return rows.map(({ partition, next }) => ({ partition, nextOffset: next === null ? null : BigInt(next) }));
}
