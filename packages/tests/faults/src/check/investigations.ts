import type { Sql } from '@tidewatch/database/connection';
import type { Installation } from '../harness/installation.ts';
import { waitFor } from '../harness/wait.ts';

interface Ended {
  id: string;
  status: string;
  failure: string | null;
  attempts: number;
  /** The number of events about the start, about the stored outcome, and about any other outcome. */
  started: number;
  ended: number;
  otherwise: number;
  /**
   * The number of pieces of evidence that findings cite and that are not stored, and of stored ones that no finding cites.
   */
  missing: number;
  uncited: number;
  evidence: number;
}

/** The outcomes of all investigations, their runs and their evidence. */
export interface InvestigationReport {
  completed: number;
  failed: number;
  runs: number;
  evidence: number;
  /** Descriptions of everything that is wrong; empty if all is right. */
  faults: string[];
}

const ENDED_WITHIN_MS = 90_000;

/** Waits until an investigation has ended; returns how many runs were started. */
export async function endOf(installation: Installation, id: string): Promise<number> {
  let attempts = 0;
  await waitFor(`${id} has ended`, ENDED_WITHIN_MS, async () => {
    const rows = await installation.store.sql<{ status: string; attempts: number }[]>`
      select status, attempts from investigations where id = ${id}`.catch(() => []);
    attempts = rows[0]?.attempts ?? 0;
    return /completed|failed/.test(rows[0]?.status ?? '');
  });
  return attempts;
}

/**
 * Checks that each requested investigation exists and has ended, that a failed one has a reason, that its end has exactly
 * one event, and that the stored data of a completed one is of a single run.
 */
export async function compareInvestigations(
  { store: { sql } }: Installation,
  asked: readonly string[],
): Promise<InvestigationReport> {
  const rows = await readEnded(sql);
  const known = new Set(rows.map(({ id }) => id));
  const faults = asked.filter((id) => !known.has(id)).map((id) => `${id} is lost`);
  for (const row of rows) {
    const { id, status, failure, started, ended, otherwise, missing, uncited } = row;
    if (!/completed|failed/.test(status)) faults.push(`${id} is still ${status}`);
    if (status === 'failed' && !failure) faults.push(`${id} has failed and says no reason`);
    if (started !== 1 || ended !== 1 || otherwise > 0)
      faults.push(
        `${id}: ${started} events of its beginning, ${ended} of its end and ${otherwise} of another end`,
      );
    if (missing + uncited > 0)
      faults.push(
        `${id}: ${missing} pieces of evidence are missing, ${uncited} are of nothing that it found`,
      );
  }
  return {
    completed: rows.filter(({ status }) => status === 'completed').length,
    failed: rows.filter(({ status }) => status === 'failed').length,
    runs: rows.reduce((sum, { attempts }) => sum + attempts, 0),
    evidence: rows.reduce((sum, { evidence }) => sum + evidence, 0),
    faults,
  };
}

async function readEnded(sql: Sql): Promise<Ended[]> {
  return await sql<Ended[]>`
    select i.id, i.status, i.failure, i.attempts, t.started, t.ended, t.otherwise, e.missing, e.uncited, e.evidence
    from investigations i
    cross join lateral (
      select count(*) filter (where type = 'investigation.started')::int as started,
        count(*) filter (where type = 'investigation.' || i.status)::int as ended,
        count(*) filter (where type in ('investigation.completed', 'investigation.failed')
          and type <> 'investigation.' || i.status)::int as otherwise
      from (select o.event ->> 'type' as type from outbox o where o.event ->> 'subject' = i.id) emitted
    ) t
    cross join lateral (
      select count(*) filter (where kept.id is null)::int as missing,
        count(*) filter (where cited.id is null)::int as uncited, count(kept.id)::int as evidence
      from (
        select distinct c.id from jsonb_array_elements(i.findings) as f (finding)
        cross join lateral jsonb_array_elements_text(f.finding -> 'evidence_ids') as c (id)
      ) cited
      full join (
        select v.id from investigation_evidence v where v.organization_id = i.organization_id and v.investigation_id = i.id
      ) kept on kept.id = cited.id
    ) e
    order by i.created_at, i.id`;
}
