import type { Alert } from '@tidewatch/contracts/alert';
import { type AlertRow, alertRecord } from '../alerts/write-row.ts';
import type { Queryable, Sql } from '../connection.ts';
import { alertNotifications } from '../notifications/of-alert.ts';
import { countAlerts } from './alert-count.ts';
import { type AlertFilter, alertCondition } from './alert-filter.ts';
import { alertPosition, hasPositions } from './alert-position.ts';
import { cutRows } from './page-rows.ts';
import { type ListPart, NEAR_OFFSET, type PageWindow, readFar, readPart } from './page-window.ts';

/** Alerts by `fired_at`, newest first; the sort key is (fired_at in ms, id). */
export async function listAlerts(
  sql: Sql,
  organizationId: string,
  filter: AlertFilter,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<Alert>> {
  const chosen = alertCondition(sql, organizationId, filter);
  const { after, limit, offset } = window;
  const count = () => countAlerts(sql, organizationId, filter);
  const part =
    after === null && offset > NEAR_OFFSET && hasPositions(filter)
      ? await readFar(count, offset, () => {
          const position = alertPosition(sql, organizationId, filter, offset);
          // What follows a part of an id is a hexadecimal digit, or nothing.
          const page = sql`
            where ${chosen}
              and (a.fired_at, a.id) < ((select bucket from position), (select part || 'g' from position))
            order by a.fired_at desc, a.id desc`;
          const skip = sql`(select skip from position)`;
          return readPage(sql, organizationId, page, skip, limit + 1, sql`${position},`);
        })
      : await readPart(window, count, ({ skip, take, backwards }) => {
          const page = sql`
            where ${chosen} ${after === null ? sql`` : sql`and (a.fired_at, a.id) < (${after[0]}::timestamptz, ${after[1]})`}
            order by ${backwards ? sql`a.fired_at, a.id` : sql`a.fired_at desc, a.id desc`}`;
          return readPage(sql, organizationId, page, skip, take);
        });
  return { total: part.total, rows: part.rows.map((row) => alertRecord(row) as Alert) };
}

type Fragment = ReturnType<typeof alertCondition>;

/** The alerts of a page; `page` is what stands after `from alerts a`, `before` are expressions that are named there. */
function readPage(
  sql: Sql,
  organizationId: string,
  page: Fragment,
  skip: number | Fragment,
  take: number,
  before: Fragment = sql``,
) {
  return sql<AlertRow[]>`
    with ${before} page as materialized (
      ${cutRows(sql, sql`select a.id, a.fired_at from alerts a ${page}`, skip, take)}
    )
    select a.*, ${alertNotifications(sql)} from page join alerts a on a.org_id = ${organizationId} and a.id = page.id
    order by page.fired_at desc, page.id desc`;
}

/** One alert, or null. */
export async function readAlert(sql: Queryable, organizationId: string, id: string): Promise<Alert | null> {
  const [row] = await sql<AlertRow[]>`
    select a.*, ${alertNotifications(sql)} from alerts a where a.org_id = ${organizationId} and a.id = ${id}`;
  return row === undefined ? null : (alertRecord(row) as Alert);
}
