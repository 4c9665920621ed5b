import type { KeyUse } from '@tidewatch/contracts/values/access';
import { toIso } from '@tidewatch/contracts/values/time';
import type { Queryable } from '../database/connection.ts';
import { inOrganization } from '../database/tenancy/bound-organization.ts';

/** Keys of one statement. */
const PORTION = 1_000;

/**
 * Notes uses of keys, organization by organization; each key comes once. Of each key's hosts the hundred latest are kept.
 * `sql` binds organizations.
 */
export async function recordKeyUses(sql: Queryable, uses: readonly KeyUse[]): Promise<void> {
  const byOrganization = Map.groupBy(uses, (use) => use.organizationId);
  for (const [organization, own] of byOrganization) {
    for (let from = 0; from < own.length; from += PORTION) {
      const rows = own.slice(from, from + PORTION).map(({ keyId, at, hosts }) => ({
        org_id: organization,
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
