import type { Queryable } from '@tidewatch/database/connection';
import { contains } from '../lists/contains.ts';

type Fragment = ReturnType<typeof fragment>;
const fragment = (sql: Queryable) => sql``;

/** The filter of a list of services; undefined fields do not filter. Archived services are listed only with that status. */
export interface ServiceFilter {
  status?: string | undefined;
  /** A literal part of the name, case-insensitive. */
  q?: string | undefined;
  /** The names of the services in place of `q`, as `hostsByPart` finds them. */
  hosts?: readonly string[] | undefined;
  tag: readonly { name: string; value: string }[];
}

/** SQL `from … where …` of the filtered services as relation `c` with `host` and `id`; further `and` conditions may follow. */
export function chosenServices(sql: Queryable, organizationId: string, filter: ServiceFilter) {
  const { status, q, hosts, tag } = filter;
  const [first, ...others] = tag;
  if (status === 'archived' || hosts !== undefined)
    return sql`from services c where ${serviceCondition(sql, organizationId, filter)}`;
  // Names, tags and statuses each have an index ordered by name, so that PostgreSQL can merge any two of them.
  if (status !== undefined)
    return sql`from services c
      where ${serviceCondition(sql, organizationId, { ...filter, tag: [] })} ${hasTags(sql, tag)}`;
  if (first === undefined)
    return sql`from service_names c where c.organization_id = ${organizationId} ${containsName(sql, q)}`;
  return sql`from service_tags c
    where c.organization_id = ${organizationId} and c.name = ${first.name} and c.value = ${first.value}
      ${hasTags(sql, others)} ${contains(sql, q, { folded: sql`lower(c.host)`, text: sql`c.host` })}`;
}

/**
 * As `chosenServices`, where many names may contain `q`. PostgreSQL expects that few contain a text, reads all of them and sorts those, or
 * looks up each; of a `case` it expects that a half is true, and reads names in order until there are enough, or joins all.
 */
export function chosenByManyNames(sql: Queryable, organizationId: string, filter: ServiceFilter) {
  if (filter.q === undefined || filter.status !== undefined || filter.tag.length > 0)
    return chosenServices(sql, organizationId, filter);
  return sql`${chosenServices(sql, organizationId, { tag: [] })}
    and case when true ${containsName(sql, filter.q)} then true else false end`;
}

/** The condition that the name of `service_names c` contains `q`. */
export function containsName(sql: Queryable, q: string | undefined) {
  return contains(sql, q, { folded: sql`c.folded`, text: sql`c.host` });
}

/** The condition that a service `c` has all of the tags. */
function hasTags(sql: Queryable, tags: ServiceFilter['tag']) {
  return all(
    sql,
    tags,
    (each) => sql`and exists (select from service_tags o where o.organization_id = c.organization_id
      and o.name = ${each.name} and o.value = ${each.value} and o.host = c.host and o.id = c.id)`,
  );
}

/** The condition on rows of `services c`, for use after `where`. */
export function serviceCondition(sql: Queryable, organizationId: string, filter: ServiceFilter) {
  return sql`c.organization_id = ${organizationId} and c.deleted_at is null and ${matchesFilter(sql, filter)}`;
}

/**
 * The condition on `services c` of the filter; `of` is the relation with the columns that change: `v` for versions as of a
 * time.
 */
export function matchesFilter(
  sql: Queryable,
  { status, q, hosts, tag }: ServiceFilter,
  of: 'c' | 'v' = 'c',
): Fragment {
  const archivedAt = sql(`${of}.archived_at`);
  return sql`${status === 'archived' ? sql`${archivedAt} is not null` : sql`${archivedAt} is null`}
    ${status === undefined || status === 'archived' ? sql`` : sql`and ${sql(`${of}.status`)} = ${status}`}
    ${all(sql, tag, (each) => sql`and ${sql(`${of}.tags`)} @> ${sql.json({ [each.name]: each.value })}`)}
    ${hosts === undefined ? sql`` : sql`and c.host = any(${hosts as string[]}::text[])`}
    ${contains(sql, q, { folded: sql`lower(c.host)`, text: sql`c.host` })}`;
}

/** Counts the services that match the filter. */
export async function countServices(
  sql: Queryable,
  organizationId: string,
  filter: ServiceFilter,
): Promise<number> {
  const total =
    serviceTotal(sql, organizationId, filter) ??
    sql`select count(*) ${chosenServices(sql, organizationId, filter)}`;
  return countBy(sql, total);
}

/** Runs a statement that counts. */
export async function countBy(sql: Queryable, total: Fragment): Promise<number> {
  const [row] = await sql<{ total: number }[]>`select (${total})::int as total`;
  return row?.total ?? 0;
}

/**
 * The statement that counts services from the stored counters by status and by tag; null if the filter has other
 * conditions.
 */
export function serviceTotal(sql: Queryable, organizationId: string, filter: ServiceFilter): Fragment | null {
  const { status, q, hosts, tag } = filter;
  const [first, ...others] = tag;
  if ((q ?? hosts) !== undefined || others.length > 0) return null;
  if (first === undefined)
    return sql`select coalesce(sum(count), 0) from service_counts where organization_id = ${organizationId}
      and ${status === undefined ? sql`status <> 'archived'` : sql`status = ${status}`}`;
  if (status === 'archived') return null;
  return sql`select coalesce(sum(count), 0) from service_tag_tallies
    where organization_id = ${organizationId} and name = ${first.name} and value = ${first.value}
      ${status === undefined ? sql`` : sql`and status = ${status}`}`;
}

// Joins conditions one by one, since the driver does not accept an empty list of fragments.
function all<T>(sql: Queryable, items: readonly T[], condition: (item: T) => Fragment): Fragment {
  return items.reduce((joined, item) => sql`${joined} ${condition(item)}`, fragment(sql));
}
