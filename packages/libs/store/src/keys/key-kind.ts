import type { KeyKind } from '@tidewatch/contracts/keys/key';
import type { Queryable } from '@tidewatch/database/connection';

/** Whether a key is of a program or of a person; null where there is none. */
export async function readKeyKind(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<KeyKind | null> {
  const [row] = await sql<{ kind: KeyKind }[]>`
    select kind from api_keys where organization_id = ${organizationId} and id = ${id}`;
  return row?.kind ?? null;
}
