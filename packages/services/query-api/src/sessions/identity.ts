import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Identity } from '@tidewatch/contracts/sessions/session';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { type KeyRecord, SCOPES } from '@tidewatch/contracts/values/access';
import { TIERS } from '@tidewatch/domain/rollup/buckets';
import { PRODUCT_VERSION } from '@tidewatch/runtime/process/product-version';
import { readOrganization } from '@tidewatch/store/organizations/read';
import { sessionAnswer } from '@tidewatch/store/sessions/session-row';
import { readSessionRow } from '@tidewatch/store/sessions/write';
import type { QueryApiOptions } from '../query-api-options.ts';

/** Who asks by this key or session, and which installation answers. Throws 401 where the session has ended meanwhile. */
export async function readIdentity(
  { sql, clock, config }: Pick<QueryApiOptions, 'sql' | 'clock' | 'config'>,
  key: KeyRecord,
): Promise<Identity> {
  const { id, name, organizationId, session } = key;
  const [organization, row] = await Promise.all([
    readOrganization(sql, organizationId),
    session === undefined ? null : readSessionRow(sql, organizationId, session.id),
  ]);
  if (organization === null) throw new ProblemError('not_found');
  if (session !== undefined && row === null) throw new ProblemError('session_ended');
  const inOrder = (scopes: KeyRecord['scopes']) => SCOPES.filter((scope) => scopes.includes(scope));
  const days = TIERS.map((tier) => [`${tier}_days`, config.retention[tier] / DAY_MS]);
  return {
    session: row && sessionAnswer(row, row.id),
    organization,
    key: { id, kind: row?.key_kind ?? 'program', name, scopes: inOrder(session?.keyScopes ?? key.scopes) },
    scopes: inOrder(key.scopes),
    confirmed_until: row && toIso(row.confirmed_until),
    server: {
      version: PRODUCT_VERSION,
      time: toIso(clock()),
      public_url: config.publicUrl,
      retention: Object.fromEntries(days),
      topology: config.topology,
    },
  };
}
