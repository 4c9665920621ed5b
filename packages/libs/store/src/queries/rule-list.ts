import type { Rule } from '@tidewatch/contracts/rules/rule';
import { readKnownChannels } from '../channels/list.ts';
import type { Sql } from '../connection.ts';
import { pageAndTotal } from './page-rows.ts';
import { type ListPart, type PageWindow, readPart } from './page-window.ts';
import { type RuleRow, ruleAnswer, ruleColumns } from './rule-row.ts';

/** Rules by creation, oldest first; the sort key is (created_at in ms, id). */
export async function listRules(
  sql: Sql,
  organizationId: string,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<Rule>> {
  const { after } = window;
  const count = async () => {
    const [row] = await sql<{ total: number }[]>`
      select count(*)::int as total from alert_rules where org_id = ${organizationId} and deleted_at is null`;
    return row?.total ?? 0;
  };
  const reading = readPart<RuleRow & { total: number }>(window, count, ({ skip, take, backwards }, known) => {
    const list = {
      rows: sql`select r.created_at, r.id from alert_rules r where r.org_id = ${organizationId} and r.deleted_at is null`,
      order: backwards ? sql`created_at desc, id desc` : sql`created_at, id`,
      total: null,
      after: after === null ? null : sql`and (created_at, id) > (${after[0]}::timestamptz, ${after[1]})`,
    };
    return sql`
      with ${pageAndTotal(sql, list, { skip, take }, known)}
      select (select total from counted) as total, ${ruleColumns(sql)}
      from page
      join alert_rules r on r.org_id = ${organizationId} and r.id = page.id
      left join rule_activity a on a.org_id = ${organizationId} and a.rule_id = page.id
      order by page.created_at, page.id`;
  });
  const [channels, part] = await Promise.all([readKnownChannels(sql, organizationId), reading]);
  return { total: part.total, rows: part.rows.map((row) => ruleAnswer(row, channels)) };
}

/** As many as one set may bring, so that what was applied at once is read at once. */
const PORTION = 1_000;

/** All rules by creation, oldest first, in portions that are each read at one moment. */
export async function* readAllRules(sql: Sql, organizationId: string): AsyncGenerator<RuleRow[]> {
  let after: RuleRow | undefined;
  do {
    const rows: RuleRow[] = await sql<RuleRow[]>`
      select ${ruleColumns(sql)}
      from alert_rules r left join rule_activity a on a.org_id = r.org_id and a.rule_id = r.id
      where r.org_id = ${organizationId} and r.deleted_at is null
        ${after ? sql`and (r.created_at, r.id) > (${after.created_at}::timestamptz, ${after.id})` : sql``}
      order by r.created_at, r.id limit ${PORTION}`;
    yield rows;
    after = rows.length === PORTION ? rows.at(-1) : undefined;
  } while (after !== undefined);
}
