import type { ProcessFigures, ProcessReport } from '@tidewatch/contracts/system/process-report';
import type { ServiceName } from '@tidewatch/contracts/system/service-names';
import type { Queryable, Sql } from '@tidewatch/database/connection';

/** The last report of a process. Times are those of the database's clock, ms. */
export interface ProcessRow {
  id: string;
  roles: ServiceName[];
  version: string;
  status: ProcessReport['status'];
  reasons: string[];
  figures: ProcessFigures;
  startedAt: number;
  reportedAt: number;
}

/**
 * Writes the reports of processes; the database's clock says when. Deletes processes that have not reported for a day with
 * each report.
 */
export function createProcessRegistry(sql: Sql) {
  return {
    async report(report: ProcessReport): Promise<void> {
      const { id, roles, version, status, reasons, figures, uptimeMs } = report;
      await sql`
        with gone as (delete from processes where reported_at < clock_timestamp() - interval '1 day' and id <> ${id})
        insert into processes as p (id, roles, version, status, reasons, figures, started_at, reported_at)
        values (${id}, ${[...roles]}::text[], ${version}, ${status}, ${[...reasons]}::text[],
          ${JSON.stringify(figures)}::text::jsonb, clock_timestamp() - ${uptimeMs}::float8 * interval '1 millisecond',
          clock_timestamp())
        on conflict (id) do update set
          roles = excluded.roles, version = excluded.version, status = excluded.status, reasons = excluded.reasons,
          figures = excluded.figures, reported_at = excluded.reported_at,
          started_at = case when excluded.started_at between p.started_at - interval '5 seconds'
            and p.started_at + interval '5 seconds' then p.started_at else excluded.started_at end`;
    },
    async withdraw(id: string): Promise<void> {
      await sql`delete from processes where id = ${id}`;
    },
  };
}

/** Reads all processes, and the database's clock, ms. */
export async function readProcesses(sql: Queryable): Promise<{ processes: ProcessRow[]; now: number }> {
  const [[clock], processes] = await Promise.all([
    sql<{ now: number }[]>`select clock_timestamp() as now`,
    sql<ProcessRow[]>`
      select id, roles, version, status, reasons, figures, started_at as "startedAt", reported_at as "reportedAt"
      from processes order by id`,
  ]);
  return { processes, now: clock?.now ?? 0 };
}
