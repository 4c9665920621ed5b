import type { Queryable } from '@tidewatch/database/connection';

/** Stores the new number of partitions of a topic, if the topic is stored. */
export async function resizeTopic(sql: Queryable, topic: string, partitions: number): Promise<void> {
  await sql`update bus_topics set partitions = ${partitions} where topic = ${topic}`;
}

/** The position of a consumer in each partition of a topic that it has read. */
export async function readPositions(
  sql: Queryable,
  consumer: string,
  topic: string,
): Promise<{ partition: number; nextOffset: bigint | null }[]> {
  const rows = await sql<{ partition: number; next: number | bigint | null }[]>`
    select partition, next_offset as next from consumer_offsets where consumer = ${consumer} and topic = ${topic}`;
  return rows.map(({ partition, next }) => ({ partition, nextOffset: next === null ? null : BigInt(next) }));
}
