import type { Scope } from '@tidewatch/contracts/values/access';
import type { Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { requireRoom } from '../limits/require-room.ts';
import { type KeyRow, keyColumns } from './key-row.ts';
import { emitKeyEvent, type KeyWrite, keyEntry, lockKeys } from './write.ts';

/** A user of the identity provider, and what the user may do. */
export interface PersonDefinition {
  issuer: string;
  /** Identifies the user with the issuer. */
  subject: string;
  /** The name of the key. */
  email: string;
  scopes: readonly Scope[];
}

/** `id` is that of a new key. The actor of the change is the user. */
export interface PersonWrite extends Omit<KeyWrite, 'actor' | 'audit'> {
  audit: Omit<AuditTrail, 'actor'>;
}

/**
 * Returns the key of a user, which has no secret. It is created at the first sign-in, and gets the present email address and scopes at
 * each later one, with an audit record. A key that was revoked is returned unchanged.
 */
export async function savePersonKey(
  tx: Transaction,
  write: PersonWrite,
  person: PersonDefinition,
): Promise<KeyRow> {
  await lockKeys(tx, write.organizationId);
  const [former] = await tx<KeyRow[]>`
    select ${keyColumns(tx)} from api_keys k
    where k.organization_id = ${write.organizationId} and k.person_issuer = ${person.issuer}
      and k.person_subject = ${person.subject}`;
  if (former === undefined) return insertPersonKey(tx, write, person);
  if (former.revoked_at !== null || isSame(former, person)) return former;
  const [row] = await tx<KeyRow[]>`
    update api_keys k set name = ${person.email}, scopes = string_to_array(${person.scopes.join(',')}, ',')
    where k.organization_id = ${write.organizationId} and k.id = ${former.id} returning ${keyColumns(tx)}`;
  const updated = row as KeyRow;
  await recordAudit(tx, trailOf(write, updated), [keyEntry('key.updated', former, updated)]);
  return updated;
}

async function insertPersonKey(
  tx: Transaction,
  write: PersonWrite,
  { issuer, subject, email, scopes }: PersonDefinition,
): Promise<KeyRow> {
  const { organizationId, id, now, maxKeys } = write;
  await requireRoom(tx, organizationId, { kind: 'keys', max: maxKeys });
  const [row] = await tx<KeyRow[]>`
    insert into api_keys as k (organization_id, id, kind, name, prefix, scopes, created_at, person_issuer, person_subject)
    select ${organizationId}, ${id}, 'person', ${email}, '', string_to_array(${scopes.join(',')}, ','), ${now}::timestamptz,
      ${issuer}, ${subject}
    returning ${keyColumns(tx)}`;
  const created = row as KeyRow;
  await emitKeyEvent(tx, write, 'key.created', created, null);
  await recordAudit(tx, trailOf(write, created), [keyEntry('key.created', null, created)]);
  return created;
}

function trailOf({ audit }: PersonWrite, { id, name }: KeyRow): AuditTrail {
  return { ...audit, actor: { key_id: id, name } };
}

function isSame({ name, scopes }: KeyRow, person: PersonDefinition): boolean {
  const isHeld = (scope: Scope) => scopes.includes(scope);
  return name === person.email && scopes.length === person.scopes.length && person.scopes.every(isHeld);
}
