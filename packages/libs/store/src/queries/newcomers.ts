import type { Sql } from '../connection.ts';
import type { ServiceRow } from './service-row.ts';

const HEADLINES = ['cpu_percent', 'memory_percent', 'disk_percent'] as const;

/**
 * Live values are flushed a moment after their samples were committed. A service that has none yet is new, so its
 * few samples are read instead: from its first answer on, a service shows what it reported.
 */
export async function fillNewcomers(sql: Sql, organizationId: string, rows: ServiceRow[]): Promise<void> {
  const newcomers = new Map(rows.filter((row) => row.last_seen === null).map((row) => [row.id, row]));
  if (newcomers.size === 0) return;
  const found = await sql<{ service_id: string; metric: (typeof HEADLINES)[number]; value: number }[]>`
    select b.service_id, m.metric, x.value ${newestValues(sql)}
    where b.org_id = ${organizationId} and b.service_id = any(${[...newcomers.keys()]}::text[])
      and b.subject_kind = 'host' and m.metric = any(${[...HEADLINES]}::text[])`;
  for (const { service_id, metric, value } of found) {
    const row = newcomers.get(service_id);
    if (row !== undefined) row[metric] = value;
  }
}

/** One row for `services s`: the headline values where `service_live l` has none yet, else nulls. */
export function headlinesOfNewcomer(sql: Sql) {
  return sql`
    select max(x.value) filter (where m.metric = 'cpu_percent') as cpu_percent,
      max(x.value) filter (where m.metric = 'memory_percent') as memory_percent,
      max(x.value) filter (where m.metric = 'disk_percent') as disk_percent
    ${newestValues(sql)}
    where l.service_id is null and b.org_id = s.org_id and b.service_id = s.id
      and b.subject_kind = 'host' and m.metric = any(${[...HEADLINES]}::text[])`;
}

// Blocks b, their metrics m and the newest value x of each that was not ahead of its time.
function newestValues(sql: Sql) {
  return sql`
    from blocks b
    join metric_slots m on m.org_id = b.org_id and m.block_id = b.id
    join lateral (
      select v.value from samples y
      cross join lateral (select (array[y.v0, y.v1, y.v2, y.v3, y.v4, y.v5, y.v6, y.v7, y.v8, y.v9, y.v10, y.v11,
        y.v12, y.v13, y.v14, y.v15])[m.slot + 1] as value) v
      where y.block_id = b.id and y."time" <= now() + interval '5 minutes' and v.value is not null
      order by y."time" desc limit 1
    ) x on true`;
}
