import type { NameValue } from '@tidewatch/contracts/queries/name-values';
import type { Queryable } from '@tidewatch/database/connection';
import { contains } from '../lists/contains.ts';
import type { Fragment } from '../lists/page-rows.ts';

/** The filter of a list of parts; undefined fields do not filter. */
export interface PartFilter {
  kind?: string | undefined;
  /** A pattern of the name, in which `*` matches any characters. */
  name?: string | undefined;
  /** A literal part of the name, case-insensitive. */
  q?: string | undefined;
  host?: string | undefined;
  /** Tags that the host must have. */
  tag: readonly NameValue[];
  /** Labels that the part must have. */
  label: readonly NameValue[];
}

/** The condition on rows of `parts p` that are in the list now, for use after `where`. */
export function partCondition(sql: Queryable, organizationId: string, filter: PartFilter): Fragment {
  return sql`p.organization_id = ${organizationId} and p.listed and not p.gone
    ${matchesFilter(sql, filter)}
    ${filter.tag.reduce(
      (
        joined,
        each,
      ) => sql`${joined} and p.service_id in (select t.id from service_tags t where t.organization_id = ${organizationId}
        and t.name = ${each.name} and t.value = ${each.value})`,
      sql``,
    )}`;
}

/** The conditions of the filter on rows of `parts p` but for tags, for use after a condition. */
export function matchesFilter(sql: Queryable, { kind, name, q, host, label }: PartFilter): Fragment {
  return sql`${kind === undefined ? sql`` : sql`and p.kind = ${kind}`}
    ${name === undefined ? sql`` : matchesPattern(sql, name)}
    ${contains(sql, q, { folded: sql`lower(p.name)`, text: sql`p.name` })}
    ${host === undefined ? sql`` : sql`and p.host = ${host}`}
    ${label.reduce((joined, each) => sql`${joined} and p.labels @> ${sql.json({ [each.name]: each.value })}`, sql``)}`;
}

function matchesPattern(sql: Queryable, pattern: string): Fragment {
  if (!pattern.includes('*')) return sql`and p.name = ${pattern}`;
  return sql`and p.name like ${pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')}`;
}
