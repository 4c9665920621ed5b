import type { AuditAction, AuditObjectType, AuditQuery, AuditRecord } from '@tidewatch/contracts/audit/audit';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql } from '@tidewatch/database/connection';
import { countByDay } from '../lists/count-by-day.ts';
import type { ListOrder } from '../lists/order.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';
import { actorAnswer } from './actor-answer.ts';

/** The filter of a list of records; undefined fields do not filter. */
type AuditFilter = Omit<AuditQuery, 'limit' | 'offset' | 'cursor'>;

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

const NEWEST_FIRST: ListOrder = { column: 'at', type: 'timestamptz', descending: true };

/** Reads audit records, newest first; the sort key is (at in ms, id). */
export function listAudit(
  sql: Sql,
  organizationId: string,
  filter: AuditFilter,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<AuditRecord>> {
  const { action, object_type: type, object_id: object, key_id: key, from, to } = filter;
  const counted = sql`a.organization_id = ${organizationId}
    ${action === undefined ? sql`` : sql`and a.action = ${action}`}
    ${type === undefined ? sql`` : sql`and a.object_type = ${type}`}`;
  const chosen = sql`${counted}
    ${object === undefined ? sql`` : sql`and a.object_id = ${object}`}
    ${key === undefined ? sql`` : sql`and a.key_id = ${key}`}
    ${from === undefined ? sql`` : sql`and a.at >= ${from}::timestamptz`}
    ${to === undefined ? sql`` : sql`and a.at < ${to}::timestamptz`}`;
  const list = {
    rows: sql`select a.at, a.id from audit a where ${chosen}`,
    total:
      (object ?? key) === undefined
        ? countByDay(
            sql,
            { from, to },
            {
              days: sql`audit_counts a where ${counted}`,
              rows: sql`audit a where ${counted}`,
              time: sql`a.at`,
            },
          )
        : sql`select count(*) from audit a where ${chosen}`,
    columns: sql`a.id, a.at, a.key_id, a.key_name, a.session_id, a.action, a.object_type, a.object_id, a.object_name,
      a.ip, a.before, a.after`,
    joins: sql`join audit a on a.organization_id = ${organizationId} and a.id = page.id`,
  };
  return readList(sql, list, NEWEST_FIRST, window, auditAnswer);
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
