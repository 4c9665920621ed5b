import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { COUNTED, type Counted } from './require-room.ts';

/** How many objects of each kind an organization has, and the bytes of audit records in the hour of `now` (ms). */
export async function countStored(
  sql: Queryable,
  organizationId: string,
  now: number,
): Promise<Record<Counted | 'auditBytes', number>> {
  const kinds = Object.keys(COUNTED) as Counted[];
  const counts = await Promise.all(
    kinds.map(async (kind) => {
      const { table, living } = COUNTED[kind];
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from ${sql(table)} where organization_id = ${organizationId} and ${sql.unsafe(living)}`;
      return [kind, row?.count ?? 0];
    }),
  );
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const [usage] = await sql<{ bytes: number }[]>`
    select bytes from audit_usage where organization_id = ${organizationId} and hour = ${hour}`;
  return { ...Object.fromEntries(counts), auditBytes: usage?.bytes ?? 0 };
}
