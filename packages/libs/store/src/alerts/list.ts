import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { Queryable, Sql, Transaction } from '@tidewatch/database/connection';
import { readByCursor } from '../lists/by-cursor.ts';
import { comesAfter, type ListOrder, orderBy } from '../lists/order.ts';
import { pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, NEAR_OFFSET, type PageWindow, readPart } from '../lists/page-window.ts';
import { alertNotifications } from '../notifications/of-alert.ts';
import { alertTotal, countAlerts, hasSeverityTallies } from './count.ts';
import { type AlertFilter, alertCondition } from './filter.ts';
import { alertPosition, hasPositions } from './position.ts';
import { rowsByCreation } from './rows-by-creation.ts';
import { rowsBySeverity } from './rows-by-severity.ts';
import { isBySeverity, severityRank } from './severity-rank.ts';
import { type AlertRow, alertRecord } from './write-row.ts';

/** The columns by which the list can be ordered; those of times have an index, by severity all matching alerts are sorted. */
export const ALERT_ORDERS = {
  fired_at: { column: 'fired_at', type: 'timestamptz' },
  created_at: { column: 'created_at', type: 'timestamptz' },
  severity: { column: 'severity_rank', type: 'int8' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

/** Alerts in an order; the sort key is (column, id). */
export async function listAlerts(
  sql: Sql,
  organizationId: string,
  filter: AlertFilter,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Alert>> {
  const { after, offset } = window;
  // Far offsets can be found by counters only in the default order.
  const isUsual = order.column === 'fired_at' && order.descending;
  const isFar = isUsual && after === null && offset > NEAR_OFFSET && hasPositions(filter);
  const total = alertTotal(sql, organizationId, filter);
  // A position is below the end of the list, and an index would be read from that end if both bounds were in the condition.
  const rows = isBySeverity(order)
    ? sql`select * from (
      select a.id, ${severityRank(sql, 'a')} from alerts a where ${alertCondition(sql, organizationId, filter)}) r where true`
    : sql`
    select a.id, ${sql(`a.${order.column}`)} from alerts a
    where ${alertCondition(sql, organizationId, isFar ? { ...filter, to: undefined } : filter)}
      ${isFar ? sql`and (a.fired_at, a.id) < ((select bucket from position), (select part from position))` : sql``}`;
  const part = await readPart<AlertRow & { total: number }>(
    window,
    () => countAlerts(sql, organizationId, filter),
    ({ skip, take, backwards }, known) => {
      const first =
        order.column === 'created_at'
          ? rowsByCreation
          : isBySeverity(order) && hasSeverityTallies(filter) && skip <= NEAR_OFFSET
            ? rowsBySeverity
            : null;
      const list = {
        ...(first === null
          ? { rows, after: comesAfter(sql, order, after) }
          : {
              rows: first(sql, organizationId, filter, order, after, { skip, take, backwards }),
              after: null,
            }),
        total,
        order: orderBy(sql, order, backwards),
      };
      const slice = { skip: isFar ? sql`(select skip from position)` : skip, take };
      return sql`
        with ${isFar ? sql`${alertPosition(sql, organizationId, filter, offset)},` : sql``}
          ${pageAndTotal(sql, list, slice, known)}
        select (select total from counted) as total, a.*, ${alertNotifications(sql)}
        from page join alerts a on a.organization_id = ${organizationId} and a.id = page.id
        order by ${orderBy(sql, order, false, 'page')}`;
    },
    isFar,
  );
  return { total: part.total, rows: part.rows.map((row) => alertRecord(row) as Alert) };
}

/** Yields the whole list in order, in portions. */
export async function* exportAlerts(
  tx: Transaction,
  organizationId: string,
  filter: AlertFilter,
  order: ListOrder,
): AsyncGenerator<Alert[]> {
  const alerts = tx`select a.*, ${alertNotifications(tx)} from alerts a where ${alertCondition(tx, organizationId, filter)}`;
  const ranked = tx`
    select a.*, ${severityRank(tx, 'a')}, ${alertNotifications(tx)} from alerts a
    where ${alertCondition(tx, organizationId, filter)}`;
  const statement = isBySeverity(order)
    ? tx`select * from (${ranked}) a order by ${orderBy(tx, order, false, 'a')}`
    : tx`${alerts} order by ${orderBy(tx, order, false, 'a')}`;
  for await (const rows of readByCursor<AlertRow>(tx, statement))
    yield rows.map((row) => alertRecord(row) as Alert);
}

/** Reads one alert; null if it does not exist. */
export async function readAlert(sql: Queryable, organizationId: string, id: string): Promise<Alert | null> {
  const [row] = await sql<AlertRow[]>`
    select a.*, ${alertNotifications(sql)} from alerts a where a.organization_id = ${organizationId} and a.id = ${id}`;
  return row === undefined ? null : (alertRecord(row) as Alert);
}
