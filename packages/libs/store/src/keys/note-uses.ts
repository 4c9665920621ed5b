import { toIso } from '@tidewatch/contracts/time/time';
import type { KeyUse } from '@tidewatch/contracts/values/access';
import type { Queryable } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';

/** The number of keys in one statement. */
const PORTION = 1_000;

/**
 * Records uses of keys; each key at most once in a call. The hundred latest hosts of a key are kept. `sql` must bind
 * organizations.
 */
export async function recordKeyUses(sql: Queryable, uses: readonly KeyUse[]): Promise<void> {
  const byOrganization = Map.groupBy(uses, (use) => use.organizationId);
  for (const [organization, own] of byOrganization) {
    for (let from = 0; from < own.length; from += PORTION) {
      const rows = own.slice(from, from + PORTION).map(({ keyId, at, hosts }) => ({
        organization_id: organization,
        key_id: keyId,
        at: toIso(at),
        hosts,
      }));
      await inOrganization(
        organization,
        () => sql`select note_key_uses(${JSON.stringify(rows)}::text::jsonb)`,
      );
    }
  }
}
