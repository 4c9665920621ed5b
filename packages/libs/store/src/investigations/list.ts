import type { Investigation, InvestigationItem } from '@tidewatch/contracts/investigations/investigation';
import type { InvestigationsQuery } from '@tidewatch/contracts/investigations/investigation-query';
import type { Queryable, Sql, Transaction } from '@tidewatch/database/connection';
import { readByCursor } from '../lists/by-cursor.ts';
import { countByDay } from '../lists/count-by-day.ts';
import { type ListOrder, orderBy } from '../lists/order.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';
import {
  type EvidenceRow,
  type InvestigationRow,
  investigationColumns,
  investigationItem,
  investigationRecord,
} from './row.ts';

/** The filter of the list; undefined does not filter. Times are ms, `[from, to)` by creation. */
type InvestigationFilter = Pick<
  InvestigationsQuery,
  'status' | 'conclusion' | 'severity' | 'service_id' | 'host' | 'alert_id' | 'from' | 'to'
>;

export const INVESTIGATION_ORDERS = {
  created_at: { column: 'created_at', type: 'timestamptz' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

/** Investigations in an order; the sort key is (column, id). */
export function listInvestigations(
  sql: Sql,
  organizationId: string,
  filter: InvestigationFilter,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<InvestigationItem>> {
  const chosen = condition(sql, organizationId, filter);
  const counted = condition(sql, organizationId, { ...filter, from: undefined, to: undefined });
  const list = {
    rows: sql`select i.created_at, i.id from investigations i where ${chosen}`,
    total: isCounted(filter)
      ? countByDay(sql, filter, {
          days: sql`investigation_counts i where ${counted}`,
          rows: sql`investigations i where ${counted}`,
          time: sql`i.created_at`,
        })
      : sql`select count(*) from investigations i where ${chosen}`,
    columns: investigationColumns(sql),
    joins: sql`join investigations i on i.organization_id = ${organizationId} and i.id = page.id`,
  };
  return readList(sql, list, order, window, investigationItem);
}

/** Yields the whole list in order, in portions. */
export async function* exportInvestigations(
  tx: Transaction,
  organizationId: string,
  filter: InvestigationFilter,
  order: ListOrder,
): AsyncGenerator<InvestigationItem[]> {
  const statement = tx`
    select ${investigationColumns(tx)} from investigations i where ${condition(tx, organizationId, filter)}
    order by ${orderBy(tx, order, false, 'i')}`;
  for await (const rows of readByCursor<InvestigationRow>(tx, statement)) yield rows.map(investigationItem);
}

/** Reads one investigation with all its fields; null if it does not exist. */
export async function readInvestigation(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<Investigation | null> {
  // Reads in one statement, so that findings and the evidence that they cite are consistent.
  const [row] = await sql<(InvestigationRow & { evidence: EvidenceRow[] })[]>`
    select ${investigationColumns(sql)}, (
      select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'query', e.query, 'stats', e.stats, 'points', e.points,
        'window_from', extract(epoch from e.window_from) * 1000, 'window_to', extract(epoch from e.window_to) * 1000)
        order by e.id), '[]')
      from investigation_evidence e where e.organization_id = i.organization_id and e.investigation_id = i.id) as evidence
    from investigations i where i.organization_id = ${organizationId} and i.id = ${id}`;
  return row === undefined ? null : investigationRecord(row, row.evidence);
}

/** Whether the filter has only times and columns by which investigations are counted. */
function isCounted({ service_id: serviceId, host, alert_id: alertId }: InvestigationFilter): boolean {
  return (serviceId ?? host ?? alertId) === undefined;
}

function condition(sql: Queryable, organizationId: string, filter: InvestigationFilter) {
  const { status, conclusion, severity, service_id: serviceId, host, alert_id: alertId, from, to } = filter;
  return sql`i.organization_id = ${organizationId}
    ${status === undefined ? sql`` : sql`and i.status = ${status}`}
    ${conclusion === undefined ? sql`` : sql`and i.conclusion = ${conclusion} and i.status = 'completed'`}
    ${severity === undefined ? sql`` : sql`and i.severity = ${severity}`}
    ${serviceId === undefined ? sql`` : sql`and i.service_id = ${serviceId}`}
    ${host === undefined ? sql`` : sql`and i.host = ${host}`}
    ${
      alertId === undefined
        ? sql``
        : sql`and i.id in (
            select investigation_id from investigation_alerts
            where organization_id = ${organizationId} and alert_id = ${alertId}
            union all
            select investigation_id from alerts where organization_id = ${organizationId} and id = ${alertId})`
    }
    ${from === undefined ? sql`` : sql`and i.created_at >= ${from}`}
    ${to === undefined ? sql`` : sql`and i.created_at < ${to}`}`;
}
