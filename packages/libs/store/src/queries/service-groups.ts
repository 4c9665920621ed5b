import type { ServiceGroup } from '@tidewatch/contracts/service';
import { HEALTH_STATUSES, type HealthStatus, worstStatus } from '@tidewatch/domain/health/status';
import type { Sql } from '../connection.ts';
import { headlinesOfNewcomer } from './newcomers.ts';
import type { ListPart, PageWindow } from './page-window.ts';
import { chosenServices, type ServiceFilter, serviceTotal } from './service-filter.ts';

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
  const isAll = status === undefined && q === undefined && tags.length === 0;
  const chosen = sql`s.org_id = ${organizationId} and s.deleted_at is null and ${
    isAll
      ? sql`s.archived_at is null`
      : sql`s.id in (select c.id ${chosenServices(sql, organizationId, filter)})`
  }`;
  // Summed by value and status first, for what thousands of rows cost is sums; those without live values are only
  // looked for where some are missing.
  const rows = await sql<GroupRow[]>`
    with known as materialized (
      select s.tags ->> ${tag} as value, s.status, count(*) as services, ${sumsOf(sql, sql`l`)}
      from services s join service_live l on l.org_id = s.org_id and l.service_id = s.id
      where ${chosen} group by 1, 2
    ), t as (
      select * from known
      union all
      select s.tags ->> ${tag}, s.status, count(*), ${sumsOf(sql, sql`n`)}
      from services s left join service_live l on l.org_id = s.org_id and l.service_id = s.id
      cross join lateral (${headlinesOfNewcomer(sql)}) n
      where ${chosen} and l.service_id is null
        and (select coalesce(sum(services), 0) from known) < (${serviceTotal(sql, organizationId, filter)})
      group by 1, 2
    ), g as materialized (
      select value collate "C" as value, (value is null)::int as missing, sum(services)::int as services,
        ${HEALTH_STATUSES.map(
          (each, index) => sql`${index === 0 ? sql`` : sql`,`}
            coalesce(sum(services) filter (where status = ${each}), 0)::int as ${sql(each)}`,
        )},
        sum(cpu) / nullif(sum(cpus), 0) as cpu_percent, sum(memory) / nullif(sum(memories), 0) as memory_percent,
        sum(disk) / nullif(sum(disks), 0) as disk_percent
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

function sumsOf(sql: Sql, from: ReturnType<Sql>) {
  return sql`sum(${from}.cpu_percent) as cpu, count(${from}.cpu_percent) as cpus,
    sum(${from}.memory_percent) as memory, count(${from}.memory_percent) as memories,
    sum(${from}.disk_percent) as disk, count(${from}.disk_percent) as disks`;
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
