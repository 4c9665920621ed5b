import type { Queryable } from '@tidewatch/database/connection';

/** The number of pending or active alert instances of each organization that has any. */
export async function readInstanceCounts(sql: Queryable): Promise<Map<string, number>> {
  const rows = await sql<{ organization_id: string; count: number }[]>`
    select organization_id, sum(pending_count + firing_count)::float8 as count from rule_activity
    where pending_count + firing_count > 0 group by organization_id`;
  return new Map(rows.map(({ organization_id, count }) => [organization_id, count]));
}
