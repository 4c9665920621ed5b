import type { Sql } from '@tidewatch/database/connection';

export interface QueueState {
  queued: number;
  /** When the oldest queued notification was created, ms; null if none is queued. */
  oldestAt: number | null;
  /** The number of destinations whose circuit breaker is open or waits for a probe message. */
  open: number;
  halfOpen: number;
}

/** Reads the state of the delivery queue and of circuit breakers; `failures` consecutive failures open one. */
export async function readQueueState(sql: Sql, now: number, failures: number): Promise<QueueState> {
  const [row] = await sql<{ queued: number; oldest: number | null; open: number; half_open: number }[]>`
    select q.queued, q.oldest, p.open, p.half_open
    from (
      select count(*)::int as queued, min(created_at) as oldest from notifications where status = 'queued'
    ) q, (
      select count(*) filter (where open_until > ${now})::int as open,
        count(*) filter (where open_until <= ${now})::int as half_open
      from destination_paces where failures >= ${failures}
    ) p`;
  const { queued = 0, oldest = null, open = 0, half_open: halfOpen = 0 } = row ?? {};
  return { queued, oldestAt: oldest, open, halfOpen };
}
