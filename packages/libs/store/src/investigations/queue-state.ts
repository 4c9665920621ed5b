import type { Sql } from '@tidewatch/database/connection';

export interface InvestigationQueue {
  queued: number;
  running: number;
  /** When the oldest queued investigation was created, ms; null if none is queued. */
  oldestAt: number | null;
}

export async function readInvestigationQueue(sql: Sql): Promise<InvestigationQueue> {
  const [row] = await sql<InvestigationQueue[]>`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'running')::int as running,
      min(created_at) filter (where status = 'queued') as "oldestAt"
    from investigations where status in ('queued', 'running')`;
  return row ?? { queued: 0, running: 0, oldestAt: null };
}
