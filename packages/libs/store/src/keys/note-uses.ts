import type { KeyUse } from '@tidewatch/contracts/values/access';
import { toIso } from '@tidewatch/contracts/values/time';
import type { Queryable } from '../connection.ts';

/** Keys of one statement. */
const PORTION = 1_000;

/** Notes uses of keys of any organization; each key comes once. Of each key's hosts the hundred latest are kept. */
export async function noteKeyUses(sql: Queryable, uses: readonly KeyUse[]): Promise<void> {
  for (let from = 0; from < uses.length; from += PORTION) {
    const rows = uses.slice(from, from + PORTION).map(({ organizationId, keyId, at, hosts }) => ({
      org_id: organizationId,
      key_id: keyId,
      at: toIso(at),
      hosts,
    }));
    await sql`select note_key_uses(${JSON.stringify(rows)}::text::jsonb)`;
  }
}
