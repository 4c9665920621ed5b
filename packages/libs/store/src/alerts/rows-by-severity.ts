import { SEVERITIES, type Severity } from '@tidewatch/contracts/values/severity';
import type { Sql } from '@tidewatch/database/connection';
import { type ListOrder, orderBy } from '../lists/order.ts';
import { cutRows, type Fragment } from '../lists/page-rows.ts';
import type { Slice } from '../lists/page-window.ts';
import { talliedBySeverity } from './count.ts';
import { type AlertFilter, alertCondition } from './filter.ts';
import { rankOfSeverity } from './severity-rank.ts';

/** Up to this many alerts of a severity are sorted, which are read from an index alone. */
const MAX_SORTED_ALERTS = 4_000;
/** Of more, those that match are picked from this many alerts in the order of ids; if these are too few, all are sorted. */
const MAX_TRIED_ALERTS = 5_000;

/**
 * The first `skip + take` alerts in the order by severity and id, for filters that `hasSeverityTallies` accepts. A severity is read if
 * those before it have too few alerts.
 */
export function rowsBySeverity(
  sql: Sql,
  organizationId: string,
  filter: AlertFilter,
  order: ListOrder,
  after: readonly [string | number, string] | null,
  { skip, take, backwards }: Slice,
): Fragment {
  const wanted = skip + take;
  const by = orderBy(sql, order, backwards);
  const byId = order.descending === backwards ? sql`a.id` : sql`a.id desc`;
  const limit = sql.unsafe(String(MAX_TRIED_ALERTS));
  let tried = sql``;
  let rows = sql`select null::text as id, null::int8 as severity_rank where false`;
  const earlier: Severity[] = [];
  for (const severity of severitiesOf(filter, order, after, backwards)) {
    const rank = rankOfSeverity(severity);
    const isBegun = after !== null && rank === Number(after[0]);
    const beyond = isBegun
      ? order.descending
        ? sql`and a.id < ${after[1]}`
        : sql`and a.id > ${after[1]}`
      : sql``;
    const isRead = earlier.reduce((sum, each) => sql`${sum} + ${countOf(sql, each)}`, sql`0`);
    const condition = alertCondition(sql, organizationId, { ...filter, severity });
    const first = sql(`first_${severity}`);
    tried = sql`${tried}, ${first} as materialized (
      select a.id from (
        select * from alerts a
        where a.organization_id = ${organizationId} ${beyond} and ${isRead} < ${wanted}
          and ${countOf(sql, severity)} > ${MAX_SORTED_ALERTS}
        order by ${byId} limit ${limit}
      ) a where ${condition} limit ${wanted}
    )`;
    const isFound = sql`(select count(*) from ${first}) >= ${wanted}`;
    const sorted = sql`select * from (
      select a.id, ${rank}::int8 as severity_rank from alerts a
      where ${condition} ${beyond} and ${isRead} < ${wanted} and not ${isFound} offset 0) s`;
    rows = sql`${rows}
      union all (select id, ${rank}::int8 from ${first} where ${isFound})
      union all (${cutRows(sql, { rows: sorted, order: by }, 0, wanted)})`;
    if (!isBegun) earlier.push(severity);
  }
  return sql`select * from (
    with by_severity as materialized (${talliedBySeverity(sql, organizationId, filter, MAX_SORTED_ALERTS + 1)}) ${tried} ${rows}) l where true`;
}

/** The severities that the filter and the page may have, in their order. */
function severitiesOf(
  filter: AlertFilter,
  order: ListOrder,
  after: readonly [string | number, string] | null,
  backwards: boolean,
): Severity[] {
  const isDescending = order.descending !== backwards;
  return SEVERITIES.filter((severity) => {
    const passed = after === null ? 0 : rankOfSeverity(severity) - Number(after[0]);
    return (filter.severity ?? severity) === severity && (isDescending ? passed <= 0 : passed >= 0);
  }).toSorted((a, b) => (isDescending ? -1 : 1) * (rankOfSeverity(a) - rankOfSeverity(b)));
}

function countOf(sql: Sql, severity: Severity): Fragment {
  return sql`coalesce((select count from by_severity where severity = ${severity}), 0)`;
}
