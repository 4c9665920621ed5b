import type { Queryable } from '../database/connection.ts';
import { type AlertWindow, divideWindow, type Stretch } from './count-window.ts';
import { type AlertFilter, alertCondition } from './filter.ts';

type Fragment = ReturnType<typeof alertCondition>;

/** Up to so many alerts in a window are counted at once; beyond, those that a whole has outside of it may be fewer. */
const COUNTED_AT_ONCE = 2_000;

/**
 * How many alerts the filter chooses, exactly. What the database tallies as alerts change is summed; one by one it
 * counts only those of a service, and of a rule or of the two minutes that a window cuts, whichever side of it has few.
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

/** The statement of that number. */
export function alertTotal(sql: Queryable, organizationId: string, filter: AlertFilter): Fragment {
  const { serviceId, ruleId, host, from, to, shadow } = filter;
  const counted = (of: AlertFilter) =>
    sql`select count(*) from alerts a where ${alertCondition(sql, organizationId, of)}`;
  // Shadow alerts are few and stand in an index of their own; no tally has them.
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

/** Most windows hold nearly all alerts of a rule, or few. */
function countRuleWindow(sql: Queryable, organizationId: string, filter: AlertFilter, ruleId: string) {
  const { from, to } = filter;
  const within = (stretch: AlertFilter) =>
    sql`select from alerts a where ${alertCondition(sql, organizationId, { ...filter, ...stretch })}`;
  const before = from === undefined ? sql`` : sql`union all ${within({ from: undefined, to: from })}`;
  const behind = to === undefined ? sql`` : sql`union all ${within({ from: to, to: undefined })}`;
  return sql`
    select case when few.count <= ${COUNTED_AT_ONCE} then few.count
      when others.count <= ${COUNTED_AT_ONCE}
        then (${talliedOfRule(sql, organizationId, filter, ruleId)}) - others.count
      else (select count(*) from (${within({})}) every) end
    from (select count(*) from (${within({})} limit ${COUNTED_AT_ONCE + 1}) first) few
    cross join lateral (
      select count(*) from (
        select from (select where false) none ${before} ${behind} limit ${COUNTED_AT_ONCE + 1}) first
      where few.count > ${COUNTED_AT_ONCE}) others`;
}

/** The statement of how many alerts are within the filter's window; the filter must not name a rule, service or host. */
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
  { minute, inside, outside }: AlertWindow['edges'][number],
) {
  const within = (stretch: Stretch) =>
    sql`from alerts a where ${alertCondition(sql, organizationId, { ...filter, ...stretch })}`;
  const whole = countWhole(sql, organizationId, filter, { tier: '1m', from: minute, to: minute + 1 });
  return sql`
    select case when few.count <= ${COUNTED_AT_ONCE} then few.count
      else (${whole}) ${outside.map((stretch) => sql`- (select count(*) ${within(stretch)})`)} end
    from (select count(*) from (select ${within(inside)} limit ${COUNTED_AT_ONCE + 1}) first) few`;
}

function tallied(sql: Queryable, organizationId: string, filter: AlertFilter, tier: string) {
  return sql`select coalesce(sum(count), 0) ${tallies(sql, organizationId, filter, tier)}`;
}

/** The counts of one tier as `from alert_tallies where …`, several rows of one key; conditions may follow. */
export function tallies(sql: Queryable, organizationId: string, filter: AlertFilter, tier: string) {
  const { status, severity, acknowledged } = filter;
  return sql`from alert_tallies
    where org_id = ${organizationId} and tier = ${tier}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${severity === undefined ? sql`` : sql`and severity = ${severity}`}
      ${acknowledged === undefined ? sql`` : sql`and acknowledged = ${acknowledged}`}`;
}
