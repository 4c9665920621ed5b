import { toIso } from '@tidewatch/contracts/time/time';
import type { KeyUse } from '@tidewatch/contracts/values/access';
import type { Queryable } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';

/** Records when sessions were used last; `keyId` of a use is the id of the session. `sql` must bind organizations. */
export async function recordSessionUses(sql: Queryable, uses: readonly KeyUse[]): Promise<void> {
  for (const [organization, own] of Map.groupBy(uses, (use) => use.organizationId)) {
    const rows = JSON.stringify(own.map(({ keyId, at }) => ({ id: keyId, at: toIso(at) })));
    await inOrganization(
      organization,
      () => sql`
        update sessions s set last_used_at = greatest(s.last_used_at, u.at)
        from jsonb_to_recordset(${rows}::text::jsonb) as u (id text, at timestamptz)
        where s.organization_id = ${organization} and s.id = u.id`,
    );
  }
}
