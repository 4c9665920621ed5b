import { toIso } from '@tidewatch/contracts/values/time';
import type { AlertRow } from '../alerts/write-row.ts';
import type { Queryable, Transaction } from '../connection.ts';
import { type SilenceRow, silenceColumns } from './row.ts';

/** Whether the last window of a silence has passed by `now` (ms) and nobody has noted it. */
export async function haveEnded(sql: Queryable, now: number): Promise<boolean> {
  const rows = await sql`select from silences where ended_at is null and ends_at <= ${now} limit 1`;
  return rows.length > 0;
}

/** Notes the end of silences whose last window has passed by `now` (ms); answers them, each once whoever asks. */
export async function noteEnds(tx: Transaction, now: number): Promise<SilenceRow[]> {
  return tx<SilenceRow[]>`
    update silences s set ended_at = s.ends_at where s.ended_at is null and s.ends_at <= ${now}
    returning ${silenceColumns(tx)}`;
}

/** A silence by its organization and id. */
export interface SilenceKey {
  org: string;
  id: string;
}

/**
 * The silences that active alerts are muted by though their window has passed, or they have ended, by `now` (ms).
 * Costs what there are silences, however many alerts they mute.
 */
export async function findEndedMutes(sql: Queryable, now: number): Promise<SilenceKey[]> {
  return sql<SilenceKey[]>`
    with recursive muting as (
      (select a.org_id, a.silenced_by from alerts a where a.status = 'active' and a.silenced_by is not null
       order by a.org_id, a.silenced_by limit 1)
      union all
      select next.* from muting m cross join lateral (
        select a.org_id, a.silenced_by from alerts a
        where a.status = 'active' and a.silenced_by is not null and (a.org_id, a.silenced_by) > (m.org_id, m.silenced_by)
        order by a.org_id, a.silenced_by limit 1) next
    )
    select m.org_id as org, m.silenced_by as id
    from muting m left join silences s on s.org_id = m.org_id and s.id = m.silenced_by
    where coalesce(s.ended_at <= ${now}, false) or exists (
      select from alerts a where a.org_id = m.org_id and a.silenced_by = m.silenced_by and a.status = 'active'
        and a.silenced_until <= ${now})`;
}

/** An alert whose mute has ended, at `ended_at` (ms), with what silences and events ask of it. */
export interface EndedMute extends AlertRow {
  ended_at: number;
  tags: Record<string, string>;
  present_rule_name: string | null;
  runbook_url: string | null;
}

/** Locks at most `limit` active alerts that the silence mutes no longer. */
export async function lockEndedMutes(
  tx: Transaction,
  { org, id }: SilenceKey,
  now: number,
  limit: number,
): Promise<EndedMute[]> {
  return tx<EndedMute[]>`
    select a.*, least(a.silenced_until, s.ended_at) as ended_at, coalesce(h.tags, '{}') as tags,
      r.name as present_rule_name, r.definition ->> 'runbook_url' as runbook_url
    from alerts a
    left join silences s on s.org_id = a.org_id and s.id = a.silenced_by
    left join services h on h.org_id = a.org_id and h.id = a.service_id
    left join alert_rules r on r.org_id = a.org_id and r.id = a.rule_id
    where a.org_id = ${org} and a.silenced_by = ${id} and a.status = 'active'
      and least(a.silenced_until, s.ended_at) <= ${now}
    order by a.org_id, a.id limit ${limit} for update of a`;
}

/** Every silence of the organization that was not over at `since` (ms). */
export async function readSilencesSince(
  sql: Queryable,
  organizationId: string,
  since: number,
): Promise<SilenceRow[]> {
  return sql<SilenceRow[]>`
    select ${silenceColumns(sql)} from silences s
    where s.org_id = ${organizationId} and (s.ended_at is null or s.ended_at > ${since})`;
}

/** What an alert is muted by from now on; nulls where by nothing. */
export interface MuteWrite {
  organizationId: string;
  id: string;
  silencedBy: string | null;
  silencedUntil: number | null;
}

/** Stores what locked alerts are muted by; answers them as they are then. */
export async function writeMutes(
  tx: Transaction,
  mutes: readonly MuteWrite[],
  now: number,
): Promise<AlertRow[]> {
  const rows = mutes.map((mute) => ({
    org: mute.organizationId,
    id: mute.id,
    by: mute.silencedBy,
    until: mute.silencedUntil === null ? null : toIso(mute.silencedUntil),
  }));
  return tx<AlertRow[]>`
    update alerts a set silenced_by = r.by, silenced_until = r.until, updated_at = ${now}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(org text, id text, by text, until timestamptz)
    where a.org_id = r.org and a.id = r.id
    returning a.*`;
}
