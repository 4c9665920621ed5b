import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';

/**
 * The summed usage of all processes of one name at one time (ms). A field is null if no process has it; the name is null
 * for a payload with an empty list of processes.
 */
export interface ProcessSum {
  serviceId: string;
  time: number;
  name: string | null;
  cpuPercent: number | null;
  memoryRss: number | null;
}

/** The time of the newest payload with processes of each service, at or before its `until`, ms. */
export async function readNewestProcesses(
  sql: Queryable,
  services: readonly { org: string; id: string; until: number }[],
): Promise<Map<string, number>> {
  const wanted = services.map(({ org, id, until }) => ({ org, id, until: toIso(until) }));
  const rows = await sql<{ id: string; time: number }[]>`
    select r.id, newest."time"
    from json_to_recordset(${JSON.stringify(wanted)}::text::json) as r(org text, id text, until timestamptz)
    cross join lateral (
      select s."time" from snapshots s
      where s.organization_id = r.org and s.service_id = r.id and s."time" <= r.until and s.processes is not null
      order by s."time" desc limit 1
    ) newest`;
  return new Map(rows.map(({ id, time }) => [id, time]));
}

/** The process usage of services from the `after` of each up to its `until` (ms), oldest first. */
export async function readProcessesSince(
  sql: Queryable,
  services: readonly { org: string; id: string; after: number; until: number }[],
): Promise<ProcessSum[]> {
  if (services.length === 0) return [];
  const wanted = services.map(({ org, id, after, until }) => ({
    org,
    id,
    after: toIso(after),
    until: toIso(until),
  }));
  return sql<ProcessSum[]>`
    select r.id as "serviceId", s."time", p.value ->> 'name' as name,
      sum((p.value ->> 'cpu_percent')::float8) as "cpuPercent", sum((p.value ->> 'memory_rss')::float8) as "memoryRss"
    from json_to_recordset(${JSON.stringify(wanted)}::text::json)
      as r(org text, id text, after timestamptz, until timestamptz)
    join snapshots s on s.organization_id = r.org and s.service_id = r.id and s."time" >= r.after and s."time" <= r.until
    left join lateral jsonb_array_elements(s.processes) p on true
    where s.processes is not null
    group by 1, 2, 3 order by 1, 2`;
}
