import type { Queryable } from '@tidewatch/database/connection';

/** The host of a service that is not deleted, or null. */
export async function findHost(sql: Queryable, organizationId: string, id: string): Promise<string | null> {
  const [row] = await sql<{ host: string }[]>`
    select host from services where organization_id = ${organizationId} and id = ${id} and deleted_at is null`;
  return row?.host ?? null;
}

/** A service that is not deleted with its tags, or null. */
export async function findTaggedHost(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<{ serviceId: string; host: string; tags: Record<string, string> } | null> {
  const [row] = await sql<{ serviceId: string; host: string; tags: Record<string, string> }[]>`
    select id as "serviceId", host, tags from services
    where organization_id = ${organizationId} and id = ${id} and deleted_at is null`;
  return row ?? null;
}
