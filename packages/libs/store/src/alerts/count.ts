import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { Queryable } from '@tidewatch/database/connection';
import { type AlertWindow, divideWindow } from './count-window.ts';
import { type AlertFilter, alertCondition } from './filter.ts';
import { countInMinute } from './runs.ts';
import { tallies } from './tallies.ts';

type Fragment = ReturnType<typeof alertCondition>;

/**
 * Up to this many alerts in a window are counted row by row; beyond that, the alerts outside the window may be fewer to
 * count.
 */
const MAX_COUNTED_ROWS = 2_000;

/**
 * Counts the alerts that match the filter, exactly, from the stored tallies where possible. Rows are read only for filters
 * that the tallies do not cover, and for partial minutes.
 */
export async function countAlerts(
  sql: Queryable,
  organizationId: string,
  filter: AlertFilter,
): Promise<number> {
  const total = alertTotal(sql, organizationId, filter);
  const [row] = await sql<{ total: number }[]>`select (${total})::int as total`;
  return row?.total ?? 0;
}

/** The statement that counts the alerts that match the filter. */
export function alertTotal(sql: Queryable, organizationId: string, filter: AlertFilter): Fragment {
  const { serviceId, ruleId, host, from, to, shadow } = filter;
  const counted = (of: AlertFilter) =>
    sql`select count(*) from alerts a where ${alertCondition(sql, organizationId, of)}`;
  // Counted row by row, because shadow alerts are few, have an index of their own, and are in no tally.
  if (shadow === 'only') return counted(filter);
  if (shadow === 'include') {
    const others = alertTotal(sql, organizationId, { ...filter, shadow: undefined });
    return sql`select (${others}) + (${counted({ ...filter, shadow: 'only' })})`;
  }
  const isWindow = (from ?? to) !== undefined;
  if ((serviceId ?? host) !== undefined) return counted(filter);
  if (isWindow && ruleId !== undefined) return countRuleWindow(sql, organizationId, filter, ruleId);
  if (isWindow) return countWindow(sql, organizationId, filter);
  return ruleId === undefined
    ? tallied(sql, organizationId, filter, 'rule')
    : talliedOfRule(sql, organizationId, filter, ruleId);
}

function talliedOfRule(sql: Queryable, organizationId: string, filter: AlertFilter, ruleId: string) {
  return sql`${tallied(sql, organizationId, filter, 'rule')} and bucket = '-infinity' and part = ${ruleId}`;
}

/** Whether `talliedBySeverity` covers the filter: there are no counters by service, host or shadow mode. */
export function hasSeverityTallies({ serviceId, host, shadow }: AlertFilter): boolean {
  return (serviceId ?? host ?? shadow) === undefined;
}

/**
 * The statement of `severity` and `count`, the number of alerts that match the filter; of a rule within a window at most `enough`, which
 * are counted row by row.
 */
export function talliedBySeverity(
  sql: Queryable,
  organizationId: string,
  filter: AlertFilter,
  enough: number,
): Fragment {
  const { ruleId, from, to } = filter;
  if ((from ?? to) === undefined)
    return sql`select severity, sum(count) as count ${tallies(sql, organizationId, filter, 'rule')}
      ${ruleId === undefined ? sql`` : sql`and bucket = '-infinity' and part = ${ruleId}`} group by severity`;
  const count = (of: AlertFilter): Fragment =>
    ruleId === undefined
      ? countWindow(sql, organizationId, of)
      : sql`select count(*) from (
          select from alerts a
          where ${alertCondition(sql, organizationId, of)} and (${talliedOfRule(sql, organizationId, of, ruleId)}) > 0
          limit ${sql.unsafe(String(enough))}) first`;
  return SEVERITIES.filter((each) => (filter.severity ?? each) === each)
    .map(
      (severity): Fragment =>
        sql`select ${severity} as severity, (${count({ ...filter, severity })}) as count`,
    )
    .reduce((all, each) => sql`${all} union all ${each}`);
}

/** Counts the alerts of a rule inside the window, or those outside and subtracts them, whichever are fewer. */
function countRuleWindow(sql: Queryable, organizationId: string, filter: AlertFilter, ruleId: string) {
  const { from, to } = filter;
  const within = (stretch: AlertFilter) =>
    sql`select from alerts a where ${alertCondition(sql, organizationId, { ...filter, ...stretch })}`;
  const before = from === undefined ? sql`` : sql`union all ${within({ from: undefined, to: from })}`;
  const behind = to === undefined ? sql`` : sql`union all ${within({ from: to, to: undefined })}`;
  return sql`
    select case when few.count <= ${MAX_COUNTED_ROWS} then few.count
      when others.count <= ${MAX_COUNTED_ROWS}
        then (${talliedOfRule(sql, organizationId, filter, ruleId)}) - others.count
      else (select count(*) from (${within({})}) every) end
    from (select count(*) from (${within({})} limit ${MAX_COUNTED_ROWS + 1}) first) few
    cross join lateral (
      select count(*) from (
        select from (select where false) none ${before} ${behind} limit ${MAX_COUNTED_ROWS + 1}) first
      where few.count > ${MAX_COUNTED_ROWS}) others`;
}

/** The statement that counts the alerts within the filter's window; the filter must not name a rule, service or host. */
export function countWindow(sql: Queryable, organizationId: string, filter: AlertFilter) {
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = filter;
  const { whole, edges } = divideWindow({ from, to });
  return [
    ...whole.map((stretch) => countWhole(sql, organizationId, filter, stretch)),
    ...edges.map((edge) => countEdge(sql, organizationId, filter, edge)),
  ].reduce((sum, part) => sql`${sum} + (${part})`, sql`select 0`);
}

function countWhole(
  sql: Queryable,
  organizationId: string,
  filter: AlertFilter,
  { tier, from, to }: AlertWindow['whole'][number],
) {
  return sql`${tallied(sql, organizationId, filter, tier)} and bucket >= ${from} and bucket < ${to}`;
}

function countEdge(
  sql: Queryable,
  organizationId: string,
  filter: AlertFilter,
  { minute, inside }: AlertWindow['edges'][number],
) {
  const before = (time: number) => countInMinute(sql, organizationId, filter, minute, time);
  const end = minute + MINUTE_MS;
  const all =
    inside.to === end
      ? countWhole(sql, organizationId, filter, { tier: '1m', from: minute, to: end })
      : before(inside.to);
  return inside.from === minute ? all : sql`select (${all}) - (${before(inside.from)})`;
}

function tallied(sql: Queryable, organizationId: string, filter: AlertFilter, tier: string) {
  return sql`select coalesce(sum(count), 0) ${tallies(sql, organizationId, filter, tier)}`;
}
