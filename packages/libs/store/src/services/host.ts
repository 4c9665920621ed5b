import type { Queryable } from '@tidewatch/database/connection';

/** The host of a service that is not deleted, or null. */
export async function findHost(sql: Queryable, organizationId: string, id: string): Promise<string | null> {
  const [row] = await sql<{ host: string }[]>`
    select host from services where organization_id = ${organizationId} and id = ${id} and deleted_at is null`;
  return row?.host ?? null;
}
