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
    select b.service_id, m.metric, x.value
    from blocks b
    join metric_slots m on m.org_id = b.org_id and m.block_id = b.id
    join lateral (
      select v.value from samples s
      cross join lateral (select (array[s.v0, s.v1, s.v2, s.v3, s.v4, s.v5, s.v6, s.v7, s.v8, s.v9, s.v10, s.v11,
        s.v12, s.v13, s.v14, s.v15])[m.slot + 1] as value) v
      where s.block_id = b.id and s."time" <= now() + interval '5 minutes' and v.value is not null
      order by s."time" desc limit 1
    ) x on true
    where b.org_id = ${organizationId} and b.service_id = any(${[...newcomers.keys()]}::text[])
      and b.subject_kind = 'host' and m.metric = any(${[...HEADLINES]}::text[])`;
  for (const { service_id, metric, value } of found) {
    const row = newcomers.get(service_id);
    if (row !== undefined) row[metric] = value;
  }
}
