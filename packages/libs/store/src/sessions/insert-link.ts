import type { SessionKind } from '@tidewatch/contracts/sessions/session';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Scope } from '@tidewatch/contracts/values/access';
import type { Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { requireRoom } from '../limits/require-room.ts';

/** A sign-in link as it is created. Times are ms. */
export interface NewSignInLink {
  id: string;
  organizationId: string;
  keyId: string;
  secretSha256: string;
  kind: SessionKind;
  name: string;
  scopes: readonly Scope[];
  now: number;
  expiresAt: number;
}

/** Stores a link with its audit record; deletes those of the organization that have expired. */
export async function insertSignInLink(
  tx: Transaction,
  link: NewSignInLink,
  audit: AuditTrail,
  max: number,
): Promise<void> {
  const { organizationId, id, kind, name, scopes, now, expiresAt } = link;
  await tx`
    delete from sign_in_links where organization_id = ${organizationId} and expires_at <= ${now}::timestamptz`;
  await requireRoom(tx, organizationId, { kind: 'signInLinks', max });
  await tx`
    insert into sign_in_links (organization_id, id, key_id, secret_sha256, kind, name, scopes, created_at, expires_at)
    select ${organizationId}, ${id}, ${link.keyId}, decode(${link.secretSha256}, 'hex'), ${kind}, ${name},
      string_to_array(${scopes.join(',')}, ','), ${now}::timestamptz, ${expiresAt}::timestamptz`;
  const object = { type: 'sign_in_link' as const, id, name };
  const after = { id, kind, name, scopes, expires_at: toIso(expiresAt) };
  await recordAudit(tx, audit, [{ action: 'sign_in_link.created', object, before: null, after }]);
}
