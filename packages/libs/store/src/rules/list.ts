import type { Rule, RulesQuery } from '@tidewatch/contracts/rules/rule';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { readKnownChannels } from '../channels/list.ts';
import { contains } from '../lists/contains.ts';
import type { ListOrder } from '../lists/order.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';
import { metricWarnings } from './metric-warnings.ts';
import { type RuleRow, ruleAnswer, ruleColumns } from './row.ts';

/** The orders of the list of rules; an organization has so few that they are sorted for each request. */
export const RULE_ORDERS = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  updated_at: { column: 'updated_at', type: 'timestamptz' },
  name: { column: 'name', type: 'text' },
  alerts: { column: 'alerts', type: 'int8' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

/** The filter of the list of rules; undefined fields do not filter. `q` is a literal part of the name. */
export type RuleFilter = Pick<RulesQuery, 'enabled' | 'severity' | 'metric' | 'q'>;

/** Rules in an order; the sort key is (column, id). Ordered by their alerts, each has how many fired in the week before `now` (ms). */
export async function listRules(
  sql: Sql,
  organizationId: string,
  { enabled, severity, metric, q }: RuleFilter,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
  now: number,
): Promise<ListPart<Rule>> {
  const byAlerts = order.column === 'alerts';
  const chosen = sql`
    select r.created_at, r.updated_at, r.name collate "C" as name, r.id from alert_rules r
    where r.organization_id = ${organizationId} and r.deleted_at is null
      ${enabled === undefined ? sql`` : sql`and r.enabled = ${enabled}`}
      ${severity === undefined ? sql`` : sql`and r.severity = ${severity}`}
      ${metric === undefined ? sql`` : sql`and r.metric = ${metric}`}
      ${contains(sql, q, { folded: sql`lower(r.name collate "C")`, text: sql`r.name` })}`;
  const counted = sql`
    select * from (
      select c.*, coalesce(n.alerts, 0) as alerts from (${chosen}) c
      left join (
        select rule_id, count(*) as alerts from alerts
        where organization_id = ${organizationId} and fired_at >= ${now - 7 * DAY_MS} and fired_at <= ${now} group by 1
      ) n on n.rule_id = c.id) l where true`;
  const list = {
    rows: byAlerts ? counted : chosen,
    total: null,
    columns: byAlerts ? sql`${ruleColumns(sql)}, page.alerts` : ruleColumns(sql),
    joins: sql`join alert_rules r on r.organization_id = ${organizationId} and r.id = page.id
      left join rule_activity a on a.organization_id = ${organizationId} and a.rule_id = page.id`,
  };
  const reading = readList(sql, list, order, window, (row: RuleRow & { alerts?: number }) => row);
  const [channels, part] = await Promise.all([readKnownChannels(sql, organizationId), reading]);
  const metrics = part.rows.map(({ definition }) => definition.metric);
  const unsent = await metricWarnings(sql, organizationId, metrics, { isOfAll: true });
  return { total: part.total, rows: part.rows.map(answerOf) };

  function answerOf(row: RuleRow & { alerts?: number }): Rule {
    const rule = ruleAnswer(row, channels, unsent);
    return byAlerts ? { ...rule, alerts: row.alerts ?? 0 } : rule;
  }
}

/**
 * The number of rules in a portion: the max size of a rule set, so that rules that were applied together are read together.
 */
const PORTION = 1_000;

/** Yields all rules by creation, oldest first, in portions of one statement each. */
export async function* readAllRules(sql: Sql, organizationId: string): AsyncGenerator<RuleRow[]> {
  let after: RuleRow | undefined;
  do {
    const rows: RuleRow[] = await sql<RuleRow[]>`
      select ${ruleColumns(sql)}
      from alert_rules r left join rule_activity a on a.organization_id = r.organization_id and a.rule_id = r.id
      where r.organization_id = ${organizationId} and r.deleted_at is null
        ${after ? sql`and (r.created_at, r.id) > (${after.created_at}::timestamptz, ${after.id})` : sql``}
      order by r.created_at, r.id limit ${PORTION}`;
    yield rows;
    after = rows.length === PORTION ? rows.at(-1) : undefined;
  } while (after !== undefined);
}
