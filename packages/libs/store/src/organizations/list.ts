import type { Organization } from '@tidewatch/contracts/organizations/organization';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql } from '@tidewatch/database/connection';
import { pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';

interface OrganizationRow {
  id: string;
  name: string;
  created_at: number;
}

/** Organizations by creation, oldest first; the sort key is (created_at in ms, id). For the operator of the installation. */
export async function listOrganizations(
  sql: Sql,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<Organization>> {
  const { after } = window;
  const total = sql`select count(*) from organizations`;
  const count = async () => {
    const [row] = await sql<{ total: number }[]>`select (${total})::int as total`;
    return row?.total ?? 0;
  };
  const part = await readPart<OrganizationRow & { total: number }>(
    window,
    count,
    ({ skip, take, backwards }, known) => {
      const list = {
        rows: sql`select created_at, id from organizations where true`,
        order: backwards ? sql`created_at desc, id desc` : sql`created_at, id`,
        total,
        after: after === null ? null : sql`and (created_at, id) > (${after[0]}::timestamptz, ${after[1]})`,
      };
      return sql`
        with ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, o.id, o.name, o.created_at
        from page join organizations o on o.id = page.id
        order by page.created_at, page.id`;
    },
  );
  return { total: part.total, rows: part.rows.map(organizationAnswer) };
}

/** An organization as the API returns it. */
export function organizationAnswer({ id, name, created_at }: OrganizationRow): Organization {
  return { id, name, created_at: toIso(created_at) };
}
