import type { Queryable } from '@tidewatch/database/connection';

/** The organization that was created first, which every installation has from its first start on. */
export async function readFirstOrganization(sql: Queryable): Promise<{ id: string; name: string } | null> {
  const [row] = await sql<{ id: string; name: string }[]>`
    select id, name from organizations order by created_at, id limit 1`;
  return row ?? null;
}

/** The id and name of an organization, or null. */
export async function readOrganization(
  sql: Queryable,
  organizationId: string,
): Promise<{ id: string; name: string } | null> {
  const [row] = await sql<{ id: string; name: string }[]>`
    select id, name from organizations where id = ${organizationId}`;
  return row ?? null;
}
