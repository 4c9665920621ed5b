import { cloudEvent } from '@tidewatch/contracts/events/event';
import type { KEY_EVENTS } from '@tidewatch/contracts/events/event-types';
import type { CreatedKey, KeyDefinition, RotatedKey } from '@tidewatch/contracts/keys/key';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { requireRoom } from '../limits/require-room.ts';
import { appendEvents } from '../outbox/append.ts';
import { type KeyRow, keyAnswer, keyColumns } from './key-row.ts';
import { type KeyText, makeKeyText } from './key-text.ts';

/** The inputs of a write: organization, ids, time (ms), actor, audit trail and limit. */
export interface KeyWrite {
  organizationId: string;
  /** The id of the key that is created or revoked. */
  id: string;
  eventId: string;
  now: number;
  actor: Actor;
  audit: AuditTrail;
  /** The maximum number of valid keys of the organization. */
  maxKeys: number;
}

/** Serializes writes to the keys of one organization until the transaction ends, so that an admin key always remains. */
export async function lockKeys(tx: Transaction, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`tidewatch.keys ${organizationId}`}, 0))`;
}

/** Stores a new key with its event and audit record; the secret is only in the result. */
export async function insertKey(
  tx: Transaction,
  write: KeyWrite,
  definition: KeyDefinition,
): Promise<CreatedKey> {
  await requireRoom(tx, write.organizationId, { kind: 'keys', max: write.maxKeys });
  const key = makeKeyText(write.id);
  const row = await store(tx, write, definition, key, null);
  await emitKeyEvent(tx, write, 'key.created', row, null);
  await recordAudit(tx, write.audit, [keyEntry('key.created', null, row)]);
  return { ...keyAnswer(row), secret: key.text };
}

/**
 * Creates a key to replace `former`, which the caller has locked and which stays valid until `until` (ms) or its own
 * expiry. If `former` expires, the new key gets the same lifetime from now on, at most until `latestEnd` (ms).
 */
export async function rotateKey(
  tx: Transaction,
  write: KeyWrite,
  former: KeyRow,
  until: number,
  latestEnd: number | null,
): Promise<RotatedKey> {
  const { organizationId, now } = write;
  const { name, scopes, rate_limit_per_minute, hosts, expires_at: end, created_at: began } = former;
  const ends = [end === null ? null : now + Math.max(0, end - began), latestEnd].filter(
    (each) => each !== null,
  );
  const expires_at = ends.length === 0 ? null : Math.min(...ends);
  await requireRoom(tx, organizationId, { kind: 'keys', max: write.maxKeys });
  const key = makeKeyText(write.id);
  const row = await store(
    tx,
    write,
    { name, scopes, rate_limit_per_minute, hosts, expires_at },
    key,
    former.id,
  );
  await tx`
    update api_keys set replaced_by = ${write.id}, expires_at = least(expires_at, ${until}::timestamptz)
    where organization_id = ${organizationId} and id = ${former.id}`;
  await emitKeyEvent(tx, write, 'key.rotated', row, former.id);
  await recordAudit(tx, write.audit, [keyEntry('key.rotated', former, row)]);
  return { ...keyAnswer(row), secret: key.text, replaces: former.id };
}

/**
 * Whether another key of a program than `id` has the scope in the organization, is valid at `now` (ms) and is not being replaced. Keys of
 * people do not count, since they are of no use while the identity provider is away.
 */
export async function hasOtherKey(
  tx: Transaction,
  { organizationId, id, now }: Pick<KeyWrite, 'organizationId' | 'id' | 'now'>,
  scope: 'admin' | 'operator',
): Promise<boolean> {
  const [other] = await tx`
    select 1 from api_keys
    where organization_id = ${organizationId} and id <> ${id} and kind = 'program' and ${scope} = any(scopes)
      and revoked_at is null and replaced_by is null and (expires_at is null or expires_at > ${now}::timestamptz)
    limit 1`;
  return other !== undefined;
}

/** Revokes a key that the caller has locked and that is not revoked yet. */
export async function revokeKey(tx: Transaction, write: KeyWrite, former: KeyRow): Promise<void> {
  const [row] = await tx<KeyRow[]>`
    update api_keys k set revoked_at = ${write.now}
    where k.organization_id = ${write.organizationId} and k.id = ${write.id} returning ${keyColumns(tx)}`;
  const revoked = row as KeyRow;
  await emitKeyEvent(tx, write, 'key.revoked', revoked, null);
  await recordAudit(tx, write.audit, [keyEntry('key.revoked', former, revoked)]);
}

async function store(
  tx: Transaction,
  { organizationId, id, now, actor }: KeyWrite,
  { name, scopes, expires_at, rate_limit_per_minute, hosts }: KeyDefinition,
  { prefix, sha256 }: KeyText,
  replaces: string | null,
): Promise<KeyRow> {
  const [row] = await tx<KeyRow[]>`
    insert into api_keys as k (organization_id, id, name, prefix, secret_sha256, scopes, rate_limit_per_minute, hosts, created_at,
      expires_at, created_by, replaces)
    select ${organizationId}, ${id}, ${name}, ${prefix}, decode(${sha256}, 'hex'), ${texts(tx, scopes)},
      ${rate_limit_per_minute}::integer, ${hosts === null ? tx`null::text[]` : texts(tx, hosts)}, ${now}::timestamptz,
      ${expires_at}::timestamptz, ${tx.json(actor)}::jsonb, ${replaces}::text
    returning ${keyColumns(tx)}`;
  return row as KeyRow;
}

function texts(tx: Transaction, list: readonly string[]) {
  return tx`array(select json_array_elements_text(${JSON.stringify(list)}::text::json))`;
}

/** The audit record of a change of a key. */
export function keyEntry(
  action: 'key.created' | 'key.updated' | 'key.rotated' | 'key.revoked',
  before: KeyRow | null,
  after: KeyRow,
) {
  const object = { type: 'key' as const, id: after.id, name: after.name };
  return { action, object, before: before && keyAnswer(before), after: keyAnswer(after) };
}

/** Emits the event of a change of a key. */
export async function emitKeyEvent(
  tx: Transaction,
  { organizationId, eventId, now }: Pick<KeyWrite, 'organizationId' | 'eventId' | 'now'>,
  type: (typeof KEY_EVENTS)[number],
  row: KeyRow,
  replaces: string | null,
): Promise<void> {
  const { id, name, prefix, scopes, expires_at, revoked_at } = keyAnswer(row);
  const event = cloudEvent({
    id: eventId,
    organizationId,
    type,
    subject: id,
    time: toIso(now),
    data: { key: { id, name, prefix, scopes, expires_at, revoked_at }, replaces },
  });
  await appendEvents(tx, [{ organizationId, event }]);
}
