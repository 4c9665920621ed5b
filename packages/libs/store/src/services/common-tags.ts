import type { Sql } from '@tidewatch/database/connection';
import type { Fragment } from '../lists/page-rows.ts';
import { chosenServices, type ServiceFilter, serviceTotal } from './filter.ts';

type Tag = ServiceFilter['tag'][number];

/**
 * Returns the tags of the filter that every listed service has, as counters say: they leave nothing out. Asks only for several tags and
 * no part of a name, since fewer conditions are counted in any case.
 */
export async function commonTags(
  sql: Sql,
  organizationId: string,
  { status, q, hosts, tag }: ServiceFilter,
): Promise<Tag[]> {
  if (tag.length < 2 || status === 'archived' || (q ?? hosts) !== undefined) return [];
  const answers = tag.map((each) => areCommon(sql, organizationId, [each]));
  const [row] = await sql<{ common: boolean[] }[]>`
    select array[${answers.reduce((all, each) => sql`${all}, ${each}`)}] as common`;
  return tag.filter((_, index) => row?.common[index]);
}

/**
 * The services of the filter by name, in the form of `chosenServices`, and the statement that counts them, without the `common` tags. If a
 * service without one of these came since they were read, which the same statement finds, all conditions apply.
 */
export function withoutCommonTags(
  sql: Sql,
  organizationId: string,
  filter: ServiceFilter,
  common: readonly Tag[],
): { chosen: Fragment; total: Fragment } {
  const others = { ...filter, tag: filter.tag.filter((each) => !common.includes(each)) };
  const isStill = areCommon(sql, organizationId, common);
  const [few, all] = [others, filter].map((each) => chosenServices(sql, organizationId, each)) as [
    Fragment,
    Fragment,
  ];
  const total = serviceTotal(sql, organizationId, others) ?? sql`select count(*) ${few}`;
  return {
    chosen: sql`from (
      select c.host, c.id ${few} and ${isStill} union all select c.host, c.id ${all} and not ${isStill}) c where true`,
    total: sql`select case when ${isStill} then (${total}) else (select count(*) ${all}) end`,
  };
}

/** The condition that each of the tags has as many services as are listed; a service has one value of a tag at most. */
function areCommon(sql: Sql, organizationId: string, tags: readonly Tag[]): Fragment {
  const listed = serviceTotal(sql, organizationId, { tag: [] });
  const tagged = tags.map((tag) => sql`(${serviceTotal(sql, organizationId, { tag: [tag] })})`);
  return sql`((${listed}) = all (array[${tagged.reduce((all, each) => sql`${all}, ${each}`)}]))`;
}
