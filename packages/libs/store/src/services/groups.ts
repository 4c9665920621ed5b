import type { ServiceGroup } from '@tidewatch/contracts/services/service';
import type { Sql } from '@tidewatch/database/connection';
import { HEALTH_STATUSES, type HealthStatus, worstStatus } from '@tidewatch/domain/health/status';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import type { ServiceFilter } from './filter.ts';
import {
  anyStatus,
  chosenForGroups,
  type GroupUsage,
  type ReadGroupUsage,
  readGroupUsage,
  type UsageSums,
} from './group-usage.ts';
import { hostsByPart } from './hosts-by-part.ts';

interface GroupRow extends Record<HealthStatus, number> {
  total: number;
  value: string | null;
  services: number;
}

/**
 * Services grouped by the values of a tag, in order of the values, those without the tag last; the sort key is (0, or 1
 * without the tag; value). Counts by status are exact; means may come from a cache of `usage`.
 */
export async function groupServices(
  sql: Sql,
  organizationId: string,
  tag: string,
  filter: ServiceFilter,
  window: PageWindow<readonly [number, string]>,
  usage: ReadGroupUsage = (...of) => readGroupUsage(sql, of[0], of[1], of[2]),
): Promise<ListPart<ServiceGroup>> {
  const after =
    window.after === null
      ? sql``
      : sql`where (g.missing, coalesce(g.value, '')) > (${window.after[0]}::int, ${window.after[1]}::text collate "C")`;
  const searched = await hostsByPart(sql, organizationId, filter, true);
  const read = await sql<(GroupRow | { total: number; services: null })[]>`
    with t as materialized (${countsByStatus(sql, organizationId, tag, searched)}),
    g as materialized (
      select value collate "C" as value, (value is null)::int as missing, sum(services)::int as services,
        ${HEALTH_STATUSES.map(
          (each, index) => sql`${index === 0 ? sql`` : sql`,`}
            coalesce(sum(services) filter (where status = ${each}), 0)::int as ${sql(each)}`,
        )}
      from t group by 1, 2 having sum(services) > 0
    )
    select t.total, p.*
    from (select count(*)::int as total from g) t
    left join lateral (
      select * from g ${after} order by g.missing, g.value
      offset ${window.after === null ? window.offset : 0} limit ${window.limit + 1}
    ) p on true
    order by p.missing, p.value`;
  const rows = read.filter((row) => row.services !== null);
  const asked = [organizationId, tag, anyStatus(filter)] as const;
  let used = rows.length === 0 ? new Map() : await usage(...asked, false);
  if (!rows.every((row) => covers(used, row))) used = await usage(...asked, true);
  return { total: read[0]?.total ?? 0, rows: rows.map((row) => groupAnswer(row, used)) };
}

/** SQL of the number of services by tag value and status, from stored counters unless the filter has other conditions. */
function countsByStatus(sql: Sql, organizationId: string, tag: string, filter: ServiceFilter) {
  const { status, q, hosts, tag: tags } = filter;
  if (status === 'archived' || (q ?? hosts) !== undefined || tags.length > 0)
    return sql`select c.tags ->> ${tag} as value, c.status, count(*) as services from services c
      where ${chosenForGroups(sql, organizationId, filter)} group by 1, 2`;
  const wanted = status === undefined ? sql`status <> 'archived'` : sql`status = ${status}`;
  return sql`
    select value, status, sum(count) as services from service_tag_tallies
    where organization_id = ${organizationId} and name = ${tag} and ${wanted} group by 1, 2
    union all
    select null, status, sum(count) from (
      select status, count from service_counts where organization_id = ${organizationId} and ${wanted}
      union all
      select status, -count from service_tag_tallies where organization_id = ${organizationId} and name = ${tag} and ${wanted}
    ) untagged group by 2`;
}

const statusesOf = (row: GroupRow) => HEALTH_STATUSES.filter((status) => row[status] > 0);

/** Whether the usage, which may come from a cache, has every status of a group. */
function covers(usage: GroupUsage, row: GroupRow): boolean {
  const group = usage.get(row.value);
  return statusesOf(row).every((status) => group?.has(status));
}

function groupAnswer(row: GroupRow, usage: GroupUsage): ServiceGroup {
  const present = statusesOf(row);
  const { healthy, degraded, critical, offline, maintenance } = row;
  const group = usage.get(row.value);
  const sums = present.flatMap((status) => group?.get(status) ?? []);
  return {
    value: row.value,
    services: row.services,
    status: present.reduce<HealthStatus>(worstStatus, 'healthy'),
    statuses: { healthy, degraded, critical, offline, maintenance },
    metrics: {
      cpu_percent: meanOf(sums, 'cpu'),
      memory_percent: meanOf(sums, 'memory'),
      disk_percent: meanOf(sums, 'disk'),
    },
  };
}

function meanOf(sums: readonly UsageSums[], name: 'cpu' | 'memory' | 'disk'): number | null {
  let sum = 0;
  let count = 0;
  for (const each of sums) {
    sum += each[name] ?? 0;
    count += each[`${name}_count`];
  }
  return count === 0 ? null : sum / count;
}
