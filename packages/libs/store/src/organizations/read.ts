import type { Queryable } from '@tidewatch/database/connection';

/** The id and name of an organization, or null. */
export async function readOrganization(
  sql: Queryable,
  organizationId: string,
): Promise<{ id: string; name: string } | null> {
  const [row] = await sql<{ id: string; name: string }[]>`
    select id, name from organizations where id = ${organizationId}`;
  return row ?? null;
}
