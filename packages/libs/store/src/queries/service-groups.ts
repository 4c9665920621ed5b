import type { ServiceGroup } from '@tidewatch/contracts/services/service';
import { HEALTH_STATUSES, type HealthStatus, worstStatus } from '@tidewatch/domain/health/status';
import type { Sql } from '../connection.ts';
import { summandOf } from '../rollups/summand.ts';
import type { ListPart, PageWindow } from './page-window.ts';
import { chosenServices, type ServiceFilter, serviceCondition } from './service-filter.ts';

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
  const { status, q, tag: tags } = filter;
  // Names and tags choose few rows by an index; every service, or a status of many, is cheaper to read from the table.
  const chosen =
    status === undefined && (q !== undefined || tags.length > 0)
      ? sql`c.org_id = ${organizationId} and c.id in (select c.id ${chosenServices(sql, organizationId, filter)})`
      : serviceCondition(sql, organizationId, filter);
  // Summed by value and status first, for what thousands of rows cost is sums.
  const rows = await sql<GroupRow[]>`
    with t as materialized (
      select c.tags ->> ${tag} as value, c.status, count(*) as services,
        ${sumsOf(sql, 'cpu_percent', 'cpu')}, ${sumsOf(sql, 'memory_percent', 'memory')},
        ${sumsOf(sql, 'disk_percent', 'disk')}
      from services c left join service_live l on l.org_id = ${organizationId} and l.service_id = c.id
      where ${chosen}
      group by 1, 2
    ), g as materialized (
      select value collate "C" as value, (value is null)::int as missing, sum(services)::int as services,
        ${HEALTH_STATUSES.map(
          (each, index) => sql`${index === 0 ? sql`` : sql`,`}
            coalesce(sum(services) filter (where status = ${each}), 0)::int as ${sql(each)}`,
        )},
        sum(cpu) / nullif(sum(cpu_count), 0) as cpu_percent, sum(memory) / nullif(sum(memory_count), 0) as memory_percent,
        sum(disk) / nullif(sum(disk_count), 0) as disk_percent
      from t group by 1, 2
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

/** PostgreSQL's avg fails where the squares of two values have no finite sum. */
function sumsOf(sql: Sql, column: string, name: string) {
  return sql.unsafe(`sum(${summandOf(`l.${column}`)}) as ${name}, count(l.${column}) as ${name}_count`);
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
