import type { Queryable } from '@tidewatch/database/connection';
import type { ServiceRow } from './row.ts';

export type LiveValues = Pick<ServiceRow, 'last_seen' | 'cpu_percent' | 'memory_percent' | 'disk_percent'>;

const METRICS = ['cpu_percent', 'memory_percent', 'disk_percent'] as const;
const SLOTS = Array.from({ length: 16 }, (_, slot) => `r.v${slot}`).join(', ');

/**
 * The live values of services as of a time (ms), by id: the time of the newest sample, and the values of the hour before.
 * Null if raw samples do not reach back that far.
 */
export async function readLiveAsOf(
  sql: Queryable,
  organizationId: string,
  ids: readonly string[],
  asOf: number,
): Promise<Map<string, LiveValues>> {
  if (ids.length === 0) return new Map();
  const [times, values] = await Promise.all([
    sql<{ id: string; last_seen: number | null }[]>`
      select b.service_id as id, max(n."time") as last_seen
      from blocks b cross join lateral (
        select r."time" from samples r where r.block_id = b.id and r."time" <= ${asOf} order by r."time" desc limit 1
      ) n
      where b.organization_id = ${organizationId} and b.service_id = any(${ids as string[]}::text[]) and b.subject_kind = 'host'
      group by 1`,
    sql<{ id: string; metric: (typeof METRICS)[number]; value: number }[]>`
      select b.service_id as id, m.name as metric, n.value
      from blocks b
      cross join lateral unnest(b.metrics) with ordinality as m (name, slot)
      cross join lateral (
        select r."time" from samples r where r.block_id = b.id and r."time" <= ${asOf} order by r."time" desc limit 1
      ) newest
      cross join lateral (
        select (array[${sql.unsafe(SLOTS)}])[m.slot] as value from samples r
        where r.block_id = b.id and r."time" <= newest."time" and r."time" > newest."time" - interval '1 hour'
          and (array[${sql.unsafe(SLOTS)}])[m.slot] is not null
        order by r."time" desc limit 1
      ) n
      where b.organization_id = ${organizationId} and b.service_id = any(${ids as string[]}::text[]) and b.subject_kind = 'host'
        and m.name = any(${METRICS as unknown as string[]}::text[])`,
  ]);
  const unknown = { last_seen: null, cpu_percent: null, memory_percent: null, disk_percent: null };
  const live = new Map<string, LiveValues>(ids.map((id) => [id, { ...unknown }]));
  for (const { id, last_seen } of times) Object.assign(live.get(id) ?? {}, { last_seen });
  for (const { id, metric, value } of values) Object.assign(live.get(id) ?? {}, { [metric]: value });
  return live;
}
