import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';

/** How long a series stays active after the last row of its block, ms. */
export const ACTIVE_MS = DAY_MS;

/** The metrics of a host, or of one of its containers. */
export interface KnownSeries {
  host: string;
  /** The name of the container; null for metrics of the host itself. */
  container: string | null;
  metrics: string[];
}

/** A metric of a part of a host. */
export interface KnownPartSeries {
  host: string;
  kind: string;
  name: string;
  metric: string;
}

/**
 * Counts the active series of an organization: all assigned slots of blocks with recent rows, of
 * parts only those with a recent value; `now` in ms. `sql` must bind
 * organizations.
 */
export async function countActiveSeries(
  sql: Queryable,
  organizationId: string,
  now: number,
): Promise<number> {
  const [row] = await inOrganization(
    organizationId,
    () => sql<{ count: number }[]>`
      select active_series(${organizationId}, ${now - ACTIVE_MS}::timestamptz) as count`,
  );
  return Number(row?.count ?? 0);
}

/** Reads the active series of some hosts of an organization, by block. `sql` must bind organizations. */
export async function findKnownSeries(
  sql: Queryable,
  organizationId: string,
  hosts: readonly string[],
  now: number,
): Promise<KnownSeries[]> {
  return await inOrganization(
    organizationId,
    () => sql<KnownSeries[]>`
      select host, container, metrics
      from known_series(${organizationId}, ${hosts as string[]}::text[], ${now - ACTIVE_MS}::timestamptz)`,
  );
}

/** Reads the active series of the parts of some hosts of an organization. `sql` must bind organizations. */
export async function findKnownParts(
  sql: Queryable,
  organizationId: string,
  hosts: readonly string[],
  now: number,
): Promise<KnownPartSeries[]> {
  return await inOrganization(
    organizationId,
    () => sql<KnownPartSeries[]>`
      select host, kind, name, metric
      from known_parts(${organizationId}, ${hosts as string[]}::text[], ${now - ACTIVE_MS}::timestamptz)`,
  );
}
