import type { Sql } from '@tidewatch/database/connection';
import type { HealthStatus } from '@tidewatch/domain/health/status';
import { summandOf } from '../rollups/summand.ts';
import { chosenByManyNames, type ServiceFilter, serviceCondition } from './filter.ts';
import { hostsByPart } from './hosts-by-part.ts';

/** Sums of live values in percent, and the number of services with a value; a sum over no service is null. */
export interface UsageSums {
  cpu: number | null;
  cpu_count: number;
  memory: number | null;
  memory_count: number;
  disk: number | null;
  disk_count: number;
}

/** Usage by value of a tag (null for services without it), then by status. */
export type GroupUsage = ReadonlyMap<string | null, ReadonlyMap<HealthStatus, UsageSums>>;

/**
 * Returns the usage of the services of each group by status; of the filter's statuses only 'archived' counts. With `fresh`,
 * the result must not come from a cache.
 */
export type ReadGroupUsage = (
  organizationId: string,
  tag: string,
  filter: ServiceFilter,
  fresh: boolean,
) => Promise<GroupUsage>;

/** Reads the usage of groups from the live values. */
export async function readGroupUsage(
  sql: Sql,
  organizationId: string,
  tag: string,
  filter: ServiceFilter,
): Promise<GroupUsage> {
  const searched = await hostsByPart(sql, organizationId, anyStatus(filter), true);
  const rows = await sql<(UsageSums & { value: string | null; status: HealthStatus })[]>`
    select c.tags ->> ${tag} as value, c.status, ${sumsOf(sql, 'cpu')}, ${sumsOf(sql, 'memory')}, ${sumsOf(sql, 'disk')}
    from services c left join service_live l on l.organization_id = ${organizationId} and l.service_id = c.id
    where ${chosenForGroups(sql, organizationId, searched)}
    group by 1, 2`;
  const usage = new Map<string | null, Map<HealthStatus, UsageSums>>();
  for (const { value, status, ...sums } of rows) {
    const group = usage.get(value);
    if (group === undefined) usage.set(value, new Map([[status, sums]]));
    else group.set(status, sums);
  }
  return usage;
}

/** The filter without its status, except for 'archived'. */
export function anyStatus(filter: ServiceFilter): ServiceFilter {
  return { ...filter, status: filter.status === 'archived' ? filter.status : undefined };
}

/** The condition on rows of `services c`, for use after `where`. */
export function chosenForGroups(sql: Sql, organizationId: string, filter: ServiceFilter) {
  const { status, q, tag } = filter;
  // Searches by index only with names or tags, which select few rows: all services, or those of a frequent status, are
  // cheaper to read from the table.
  if (status === undefined && (q !== undefined || tag.length > 0))
    return sql`c.organization_id = ${organizationId} and c.id in (select c.id ${chosenByManyNames(sql, organizationId, filter)})`;
  return serviceCondition(sql, organizationId, filter);
}

/** Sums instead of avg(), which fails if the squares of two values have no finite sum. */
function sumsOf(sql: Sql, name: 'cpu' | 'memory' | 'disk') {
  const column = `l.${name}_percent`;
  return sql.unsafe(`sum(${summandOf(column)}) as ${name}, count(${column})::int as ${name}_count`);
}
