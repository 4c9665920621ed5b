import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { Sql } from '@tidewatch/database/connection';

/**
 * Returns a function that returns whether the writers made progress in every partition within `staleMs`; each partition
 * gets a heartbeat every second. Compares with its earlier calls, so it must be called more often than that.
 */
export function createWriterProgress(
  sql: Sql,
  topicPrefix: string,
  clock: () => number,
  staleMs: number,
): () => Promise<boolean> {
  const seen = new Map<number, { next: number; movedAt: number }>();
  return async () => {
    const rows = await sql<{ partition: number; next: number }[]>`
      select partition, coalesce(next_offset, 0)::float8 as next from consumer_offsets
      where consumer = 'writer' and topic = ${topicPrefix + TOPICS.samples}`;
    const now = clock();
    for (const { partition, next } of rows) {
      const before = seen.get(partition);
      if (before === undefined) seen.set(partition, { next, movedAt: Number.NEGATIVE_INFINITY });
      else if (next > before.next) seen.set(partition, { next, movedAt: now });
    }
    return seen.size > 0 && [...seen.values()].every(({ movedAt }) => now - movedAt < staleMs);
  };
}
