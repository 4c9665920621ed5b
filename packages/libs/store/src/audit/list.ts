import type { AuditAction, AuditObjectType, AuditRecord } from '@tidewatch/contracts/audit/audit';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql } from '@tidewatch/database/connection';
import { pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';
import { actorAnswer } from './actor-answer.ts';

export interface AuditFilter {
  action?: AuditAction | undefined;
  object_type?: AuditObjectType | undefined;
  object_id?: string | undefined;
  key_id?: string | undefined;
  /** `[from, to)`, ms. */
  from?: number | undefined;
  to?: number | undefined;
}

interface AuditRow {
  id: string;
  at: number;
  key_id: string;
  key_name: string;
  session_id: string | null;
  action: AuditAction;
  object_type: AuditObjectType;
  object_id: string;
  object_name: string;
  ip: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

/** Reads audit records, newest first; the sort key is (at in ms, id). */
export async function listAudit(
  sql: Sql,
  organizationId: string,
  filter: AuditFilter,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<AuditRecord>> {
  const { after } = window;
  const { action, object_type: type, object_id: object, key_id: key, from, to } = filter;
  const chosen = sql`a.organization_id = ${organizationId}
    ${action === undefined ? sql`` : sql`and a.action = ${action}`}
    ${type === undefined ? sql`` : sql`and a.object_type = ${type}`}
    ${object === undefined ? sql`` : sql`and a.object_id = ${object}`}
    ${key === undefined ? sql`` : sql`and a.key_id = ${key}`}
    ${from === undefined ? sql`` : sql`and a.at >= ${from}::timestamptz`}
    ${to === undefined ? sql`` : sql`and a.at < ${to}::timestamptz`}`;
  const total = sql`select count(*) from audit a where ${chosen}`;
  const count = async () => {
    const [row] = await sql<{ total: number }[]>`select (${total})::int as total`;
    return row?.total ?? 0;
  };
  const part = await readPart<AuditRow & { total: number }>(
    window,
    count,
    ({ skip, take, backwards }, known) => {
      const list = {
        rows: sql`select a.at, a.id from audit a where ${chosen}`,
        order: backwards ? sql`at, id` : sql`at desc, id desc`,
        total,
        after: after === null ? null : sql`and (at, id) < (${after[0]}::timestamptz, ${after[1]})`,
      };
      return sql`
        with ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, a.id, a.at, a.key_id, a.key_name, a.session_id, a.action,
          a.object_type, a.object_id, a.object_name, a.ip, a.before, a.after
        from page join audit a on a.organization_id = ${organizationId} and a.id = page.id
        order by page.at desc, page.id desc`;
    },
  );
  return { total: part.total, rows: part.rows.map(auditAnswer) };
}

function auditAnswer(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    at: toIso(row.at),
    actor: actorAnswer({ key_id: row.key_id, name: row.key_name, session_id: row.session_id ?? undefined }),
    action: row.action,
    object: { type: row.object_type, id: row.object_id, name: row.object_name },
    ip: row.ip,
    before: row.before,
    after: row.after,
  };
}
