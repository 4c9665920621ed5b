import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { Sql } from '@tidewatch/store/database/connection';

/**
 * Answers whether the writers have moved on within `staleMs` in every partition of samples, to which heartbeats come each
 * second. It goes by what it saw when it was asked before, so it wants to be asked often.
 */
export function createWriterWatch(
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
