import type { Sql } from '@tidewatch/database/connection';

export interface InvestigationQueue {
  queued: number;
  running: number;
  /** When the oldest queued investigation was created, ms; null if none is queued. */
  oldestAt: number | null;
}

/** Whether any investigation is queued or running. */
export async function hasOpenInvestigations(sql: Sql): Promise<boolean> {
  return (
    (
      await sql`select from investigations where status in ('queued', 'running') order by organization_id limit 1`
    ).length > 0
  );
}

export async function readInvestigationQueue(sql: Sql): Promise<InvestigationQueue> {
  const [row] = await sql<InvestigationQueue[]>`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'running')::int as running,
      min(created_at) filter (where status = 'queued') as "oldestAt"
    from investigations where status in ('queued', 'running')`;
  return row ?? { queued: 0, running: 0, oldestAt: null };
}
