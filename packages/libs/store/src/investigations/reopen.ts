import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable, Transaction } from '@tidewatch/database/connection';

/** The id of an investigation with its organization. */
export interface InvestigationReference {
  org: string;
  id: string;
}

/**
 * The pause before another run of an investigation, which grows by this with each run, so that an alert storm causes few
 * runs, ms.
 */
export const RERUN_AFTER_MS = MINUTE_MS;

/**
 * Schedules another run of investigations that alerts joined after their runs began: at once the first time, later with a
 * growing delay. `now` is the server's clock, ms.
 */
export async function scheduleForJoined(
  tx: Transaction,
  joined: readonly InvestigationReference[],
  now: number,
): Promise<void> {
  if (joined.length === 0) return;
  const rows = JSON.stringify(joined);
  await tx`
    update investigations i set again_at = least(i.again_at, greatest(${toIso(now)}::timestamptz,
      coalesce(i.completed_at, ${toIso(now)}::timestamptz) + i.reruns * ${RERUN_AFTER_MS}::float8 * interval '1 millisecond'))
    from (select distinct org, id from json_to_recordset(${rows}::text::json) as w (org text, id text)) w
    where i.organization_id = w.org and i.id = w.id and i.status in ('running', 'completed', 'failed')`;
  await reopenDue(tx, now);
}

/** The condition on `investigations i` that another run is due at `now`, ms. */
export function isDueAgain(sql: Queryable, now: number) {
  return sql`(i.again_at is not null or i.history_at is not null)
    and least(i.again_at, i.history_at) <= ${toIso(now)}::timestamptz and i.status in ('completed', 'failed')`;
}

/**
 * Queues investigations for another run that is due: because alerts joined them, once because they had too little
 * history, or to look again where they named no cause. The last result stays until the next run completes. `now` is the server's clock, ms. Returns how many were
 * queued.
 */
export async function reopenDue(tx: Transaction, now: number): Promise<number> {
  const at = tx`${toIso(now)}::timestamptz`;
  const reopened = await tx`
    with due as materialized (
      select i.organization_id, i.id from investigations i
      where ${isDueAgain(tx, now)}
      order by least(i.again_at, i.history_at) limit 1000 for update skip locked
    )
    update investigations i set status = 'queued', attempts = 0, started_at = null, completed_at = null, failure = null,
      reruns = i.reruns + 1, again_at = case when i.again_at <= ${at} then null else i.again_at end,
      history_redone = i.history_redone or coalesce(i.history_at <= ${at}, false),
      history_at = case when i.history_at <= ${at} then null else i.history_at end, updated_at = ${at}
    from due where i.organization_id = due.organization_id and i.id = due.id returning 1`;
  return reopened.length;
}
