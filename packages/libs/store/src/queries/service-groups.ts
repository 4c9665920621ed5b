import type { ServiceGroup } from '@tidewatch/contracts/service';
import { HEALTH_STATUSES, type HealthStatus, worstStatus } from '@tidewatch/domain/health/status';
import type { Sql } from '../connection.ts';
import { summandOf } from '../rollups/summand.ts';
import type { ListPart, PageWindow } from './page-window.ts';
import { type ServiceFilter, serviceCondition } from './service-filter.ts';

interface GroupRow extends Record<HealthStatus, number> {
  total: number;
  value: string | null;
  services: number | null;
  cpu_percent: number | null;
  memory_percent: number | null;
  disk_percent: number | null;
}

/** The services of each value of a tag, by value, those without the tag last; the sort key is (0 or 1 without, value). */
export async function groupServices(
  sql: Sql,
  organizationId: string,
  tag: string,
  filter: ServiceFilter,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<ServiceGroup>> {
  const after =
    window.after === null
      ? sql``
      : sql`where (g.missing, coalesce(g.value, '')) > (${window.after[0]}::int, ${window.after[1]}::text collate "C")`;
  // PostgreSQL's avg fails where the squares of two values have no finite sum.
  const mean = (metric: string) => sql.unsafe(`sum(${summandOf(`l.${metric}`)}) / count(l.${metric})`);
  const rows = await sql<GroupRow[]>`
    with g as materialized (
      select (s.tags ->> ${tag}) collate "C" as value, (not s.tags ? ${tag})::int as missing, count(*)::int as services,
        count(*) filter (where s.status = 'healthy')::int as healthy,
        count(*) filter (where s.status = 'degraded')::int as degraded,
        count(*) filter (where s.status = 'critical')::int as critical,
        count(*) filter (where s.status = 'offline')::int as offline,
        count(*) filter (where s.status = 'maintenance')::int as maintenance,
        ${mean('cpu_percent')} as cpu_percent,
        ${mean('memory_percent')} as memory_percent,
        ${mean('disk_percent')} as disk_percent
      from services s
      left join service_live l on l.org_id = s.org_id and l.service_id = s.id
      where ${serviceCondition(sql, organizationId, filter)}
      group by 1, 2
    )
    select t.total, p.*
    from (select count(*)::int as total from g) t
    left join lateral (
      select * from g ${after} order by g.missing, g.value
      offset ${window.after === null ? window.offset : 0} limit ${window.limit + 1}
    ) p on true
    order by p.missing, p.value`;
  return { total: rows[0]?.total ?? 0, rows: rows.flatMap((row) => groupAnswer(row)) };
}

function groupAnswer(row: GroupRow): ServiceGroup[] {
  if (row.services === null) return [];
  const present = HEALTH_STATUSES.filter((status) => row[status] > 0);
  const { healthy, degraded, critical, offline, maintenance } = row;
  return [
    {
      value: row.value,
      services: row.services,
      status: present.reduce<HealthStatus>(worstStatus, 'healthy'),
      statuses: { healthy, degraded, critical, offline, maintenance },
      metrics: {
        cpu_percent: row.cpu_percent,
        memory_percent: row.memory_percent,
        disk_percent: row.disk_percent,
      },
    },
  ];
}
