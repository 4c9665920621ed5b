import type { Queryable } from '../connection.ts';

/** What a list of services may be narrowed by; undefined leaves open. Archived ones only appear by that status. */
export interface ServiceFilter {
  status?: string | undefined;
  /** A literal part of the name, whatever its case. */
  q?: string | undefined;
  tag: readonly { name: string; value: string }[];
}

/** The condition on `services s`, to stand after `where`. */
export function serviceCondition(sql: Queryable, organizationId: string, filter: ServiceFilter) {
  const { status, q, tag } = filter;
  const byStatus =
    status === 'archived'
      ? sql`and s.archived_at is not null`
      : sql`and s.archived_at is null ${status === undefined ? sql`` : sql`and s.status = ${status}`}`;
  return sql`s.org_id = ${organizationId} and s.deleted_at is null ${byStatus}
    ${q === undefined ? sql`` : nameContains(sql, q)}
    ${tag.length === 0 ? sql`` : tag.map(({ name, value }) => sql`and s.tags @> ${sql.json({ [name]: value })}`)}`;
}

// The column's collation "C" folds ASCII only, and does so fast; other letters need ICU.
function nameContains(sql: Queryable, q: string) {
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII as a whole.
  if (/^[\x00-\x7f]*$/.test(q)) return sql`and s.host ilike ${pattern}`;
  return sql`and lower(s.host collate "und-x-icu") like lower(${pattern}::text collate "und-x-icu")`;
}
