import { toIso } from '@tidewatch/contracts/time/time';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { type SilenceRow, silenceColumns } from './row.ts';

/** Records the end of silences whose last window ended by `now` (ms), and returns each of them exactly once. */
export async function recordEndedSilences(tx: Transaction, now: number): Promise<SilenceRow[]> {
  return tx<SilenceRow[]>`
    update silences s set ended_at = s.ends_at where s.ended_at is null and s.ends_at <= ${now}
    returning ${silenceColumns(tx)}`;
}

/** A silence by its organization and id. */
export interface SilenceKey {
  org: string;
  id: string;
}

/** What has changed in silences, and what their ends leave to do. */
export interface SilenceChanges {
  /** The revision of silences. */
  revision: number;
  /** Whether a silence ended whose end is not recorded yet. */
  hasEnded: boolean;
  /** Silences that still mute active alerts although their window, or the silence itself, ended. */
  endedMutes: SilenceKey[];
}

/**
 * Reads the changes by `now` (ms) in one statement, since nearly always there are none. The cost depends on the number of silences, not of
 * alerts.
 */
export async function readSilenceChanges(sql: Queryable, now: number): Promise<SilenceChanges> {
  const [row] = await sql<SilenceChanges[]>`
    select coalesce((select revision from revisions where name = 'silences'), 0) as revision,
      exists (select from silences where ended_at is null and ends_at <= ${now}::timestamptz) as "hasEnded",
      coalesce((select json_agg(e) from (${endedMutes(sql, now)}) e), '[]') as "endedMutes"`;
  if (row === undefined) throw new Error('the changes of silences were not read');
  return row;
}

function endedMutes(sql: Queryable, now: number) {
  return sql`
    with recursive muting as (
      (select a.organization_id, a.silenced_by from alerts a where a.status = 'active' and a.silenced_by is not null
       order by a.organization_id, a.silenced_by limit 1)
      union all
      select next.* from muting m cross join lateral (
        select a.organization_id, a.silenced_by from alerts a
        where a.status = 'active' and a.silenced_by is not null and (a.organization_id, a.silenced_by) > (m.organization_id, m.silenced_by)
        order by a.organization_id, a.silenced_by limit 1) next
    )
    select m.organization_id as org, m.silenced_by as id
    from muting m left join silences s on s.organization_id = m.organization_id and s.id = m.silenced_by
    where coalesce(s.ended_at <= ${now}::timestamptz, false) or exists (
      select from alerts a where a.organization_id = m.organization_id and a.silenced_by = m.silenced_by and a.status = 'active'
        and a.silenced_until <= ${now}::timestamptz)`;
}

/** The fields of an active alert that silences match. */
export interface SilenceableAlert {
  organizationId: string;
  id: string;
  ruleId: string;
  host: string;
  tags: Record<string, string>;
  severity: Severity;
  subject: Subject;
  /** ms. */
  firedAt: number;
}

/** Locks at most `limit` active alerts of a silence whose window, or the silence itself, ended by `now` (ms). */
export async function lockEndedMutes(
  tx: Transaction,
  { org, id }: SilenceKey,
  now: number,
  limit: number,
): Promise<SilenceableAlert[]> {
  return tx<SilenceableAlert[]>`
    select ${silenceableColumns(tx)} from alerts a
    left join silences s on s.organization_id = a.organization_id and s.id = a.silenced_by
    left join services h on h.organization_id = a.organization_id and h.id = a.service_id
    where a.organization_id = ${org} and a.silenced_by = ${id} and a.status = 'active'
      and least(a.silenced_until, s.ended_at) <= ${now}
    order by a.organization_id, a.id limit ${limit} for update of a`;
}

/** Reads at most `limit` active alerts of an organization that are not muted, after the given one, in firing order. */
export async function readUnsilenced(
  sql: Queryable,
  organizationId: string,
  after: { firedAt: number; id: string } | null,
  limit: number,
): Promise<SilenceableAlert[]> {
  return sql<SilenceableAlert[]>`
    select ${silenceableColumns(sql)} from alerts a
    left join services h on h.organization_id = a.organization_id and h.id = a.service_id
    where a.organization_id = ${organizationId} and a.status = 'active' and a.silenced_by is null
      and (a.fired_at, a.id) > (${after?.firedAt ?? '-infinity'}::timestamptz, ${after?.id ?? ''})
    order by a.fired_at, a.id limit ${limit}`;
}

/** Reads at most `limit` active alerts that a silence mutes and that were created before a time (ms), after the given id. */
export async function readSilencedBefore(
  sql: Queryable,
  { org, id }: SilenceKey,
  before: number,
  after: string,
  limit: number,
): Promise<SilenceableAlert[]> {
  return sql<SilenceableAlert[]>`
    select ${silenceableColumns(sql)} from alerts a
    left join services h on h.organization_id = a.organization_id and h.id = a.service_id
    where a.organization_id = ${org} and a.silenced_by = ${id} and a.status = 'active' and a.created_at < ${before}
      and a.id > ${after}
    order by a.id limit ${limit}`;
}

/** The columns of SilenceableAlert from `alerts a` and `services h`. */
export function silenceableColumns(sql: Queryable) {
  return sql`a.organization_id as "organizationId", a.id, a.rule_id as "ruleId", a.host, coalesce(h.tags, '{}') as tags,
    a.severity, json_build_object('kind', a.subject_kind, 'name', a.subject_name) as subject, a.fired_at as "firedAt"`;
}

/** The silence that mutes an alert and the end of the mute; null if none does. */
export interface MuteWrite {
  organizationId: string;
  id: string;
  silencedBy: string | null;
  silencedUntil: number | null;
}

export async function writeMutes(tx: Transaction, mutes: readonly MuteWrite[], now: number): Promise<void> {
  if (mutes.length === 0) return;
  const rows = mutes.map((mute) => ({
    org: mute.organizationId,
    id: mute.id,
    by: mute.silencedBy,
    until: mute.silencedUntil === null ? null : toIso(mute.silencedUntil),
  }));
  await tx`
    with r as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(org text, id text, by text, until timestamptz)
    ), locked as materialized (
      select r.* from (select * from r order by org, id) r
      cross join lateral (
        select from alerts a where a.organization_id = r.org and a.id = r.id and a.status = 'active' for update) a
    )
    update alerts a set silenced_by = l.by, silenced_until = l.until, updated_at = ${now}
    from locked l where a.organization_id = l.org and a.id = l.id`;
}
