import type { Sql } from '@tidewatch/database/connection';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { comesAfter, type ListOrder, orderBy } from '../lists/order.ts';
import { cutRows, type Fragment } from '../lists/page-rows.ts';
import type { Slice } from '../lists/page-window.ts';
import { type AlertFilter, alertCondition } from './filter.ts';
import { isLate, LATE_MS } from './lateness.ts';

/** Up to this many alerts are sorted; of more, those that match are picked from all alerts in the order of their creation. */
const MAX_SORTED_ALERTS = 5_000;

/**
 * The first `skip + take` alerts in the order of their creation; `counted (total)` is the number of alerts that match the filter. Alerts
 * are created by `MAX_SKEW_MS` before they fire at the earliest, and within `LATE_MS` after unless they are late, so that the index
 * of creations is read from where the first match may be.
 */
export function rowsByCreation(
  sql: Sql,
  organizationId: string,
  filter: AlertFilter,
  order: ListOrder,
  after: readonly [string | number, string] | null,
  { skip, take, backwards }: Slice,
): Fragment {
  const total = sql`(select total from counted)`;
  const condition = alertCondition(sql, organizationId, filter);
  const by = orderBy(sql, order, backwards);
  const cut = (rows: Fragment) =>
    sql`(${cutRows(sql, { rows: sql`select * from (${rows}) r where true ${comesAfter(sql, order, after) ?? sql``}`, order: by }, 0, skip + take)})`;
  const few = sql`
    select a.created_at, a.id from alerts a where ${condition} and ${total} <= ${MAX_SORTED_ALERTS} offset 0`;
  const many = sql`
    select a.created_at, a.id from alerts a where ${condition} and ${total} > ${MAX_SORTED_ALERTS}`;
  const fired = (direction: Fragment) =>
    sql`(select a.fired_at from alerts a where ${condition} order by a.fired_at ${direction} limit 1)`;
  if (order.descending === backwards) {
    const earliest = sql`${fired(sql``)} - ${MAX_SKEW_MS}::int * interval '1 millisecond'`;
    return sql`select * from (${cut(few)} union all ${cut(sql`${many} and a.created_at >= ${earliest}`)}) l where true`;
  }
  const latest = sql`${fired(sql`desc`)} + ${LATE_MS}::int * interval '1 millisecond'`;
  return sql`select * from (${cut(few)}
    union all ${cut(sql`${many} and a.created_at <= ${latest} and not ${isLate(sql)}`)}
    union all ${cut(sql`${many} and ${isLate(sql)}`)}) l where true`;
}
