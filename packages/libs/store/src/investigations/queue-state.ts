import type { Sql } from '@tidewatch/database/connection';
import { isDueAgain } from './reopen.ts';

export interface InvestigationQueue {
  queued: number;
  running: number;
  /** When the oldest queued investigation was created, ms; null if none is queued. */
  oldestAt: number | null;
  /** Whether an investigation is due for another run. */
  isAnyDue: boolean;
}

/** Whether any investigation is queued or running. */
export async function hasOpenInvestigations(sql: Sql): Promise<boolean> {
  return (
    (
      await sql`select from investigations where status in ('queued', 'running') order by organization_id limit 1`
    ).length > 0
  );
}

/** Reads the queue, and whether more belongs into it at `now`, ms by the server's clock. */
export async function readInvestigationQueue(sql: Sql, now: number): Promise<InvestigationQueue> {
  const [row] = await sql<InvestigationQueue[]>`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'running')::int as running,
      min(created_at) filter (where status = 'queued') as "oldestAt",
      exists (select from investigations i where ${isDueAgain(sql, now)}) as "isAnyDue"
    from investigations where status in ('queued', 'running')`;
  return row ?? { queued: 0, running: 0, oldestAt: null, isAnyDue: false };
}
