import type { Metric } from '@tidewatch/contracts/metrics/metric';
import { unitOf } from '@tidewatch/contracts/values/unit';
import type { Sql } from '@tidewatch/database/connection';
import { contains } from '../lists/contains.ts';
import { comesAfter, type ListOrder, orderBy } from '../lists/order.ts';
import { pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';

/** The orders of the list; the name of a metric is its id. */
export const METRIC_ORDERS = {
  name: { column: 'id', type: 'text' },
  services: { column: 'services', type: 'int8' },
} as const satisfies Record<string, Omit<ListOrder, 'descending'>>;

interface MetricRow {
  id: string;
  services: number;
  total: number;
}

/**
 * The metrics of hosts that are listed, with the number of hosts that send each; the sort key is (column, name). The numbers are
 * stored counters, so the cost depends on the number of names, not of series.
 */
export async function listMetrics(
  sql: Sql,
  organizationId: string,
  q: string | undefined,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Metric>> {
  // Few changes are pending: the transactions that append them usually add them up too.
  const pending = sql`pending as materialized (
    select metric as id, sum(services)::int8 as services from metric_count_changes where organization_id = ${organizationId} group by 1
  )`;
  const rows = sql`
    select id, services from (
      select c.metric as id,
        c.services + coalesce((select p.services from pending p where p.id = c.metric), 0)::int8 as services
      from metric_counts c where c.organization_id = ${organizationId}
      union all
      select p.id, p.services from pending p
      where not exists (select from metric_counts c where c.organization_id = ${organizationId} and c.metric = p.id)
    ) m where services > 0 ${contains(sql, q, { folded: sql`lower(id)`, text: sql`id` })}`;
  const part = await readPart<MetricRow>(
    window,
    async () => {
      const [row] = await sql<{ total: number }[]>`
        with ${pending} select count(*)::int as total from (${rows}) m`;
      return row?.total ?? 0;
    },
    ({ skip, take, backwards }, known) => {
      const after = comesAfter(sql, order, window.after);
      const list = { rows, order: orderBy(sql, order, backwards), total: null, after };
      return sql`
        with ${pending}, ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, page.* from page order by ${orderBy(sql, order)}`;
    },
  );
  return {
    total: part.total,
    rows: part.rows.map(({ id, services }) => ({ name: id, unit: unitOf(id), services })),
  };
}
