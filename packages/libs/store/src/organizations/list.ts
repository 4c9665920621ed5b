import type { Organization } from '@tidewatch/contracts/organizations/organization';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql } from '@tidewatch/database/connection';
import { OLDEST_FIRST } from '../lists/order.ts';
import type { ListPart, PageWindow } from '../lists/page-window.ts';
import { readList } from '../lists/read-list.ts';

interface OrganizationRow {
  id: string;
  name: string;
  created_at: number;
}

/** Organizations by creation, oldest first; the sort key is (created_at in ms, id). For the operator of the installation. */
export function listOrganizations(
  sql: Sql,
  window: PageWindow<readonly [number, string]>,
): Promise<ListPart<Organization>> {
  const list = {
    rows: sql`select created_at, id from organizations where true`,
    total: sql`select count(*) from organizations`,
    columns: sql`o.id, o.name, o.created_at`,
    joins: sql`join organizations o on o.id = page.id`,
  };
  return readList(sql, list, OLDEST_FIRST, window, organizationAnswer);
}

/** An organization as the API returns it. */
export function organizationAnswer({ id, name, created_at }: OrganizationRow): Organization {
  return { id, name, created_at: toIso(created_at) };
}
