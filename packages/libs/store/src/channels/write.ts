import { maskConfig } from '@tidewatch/contracts/channels/channel-secrets';
import type { ChannelKind, KindAndConfig } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { cloudEvent } from '@tidewatch/contracts/events/event';
import type { CHANNEL_EVENTS } from '@tidewatch/contracts/events/event-types';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import { type AuditEntry, type AuditTrail, recordAudit } from '../audit/record.ts';
import { requireRoom } from '../limits/require-room.ts';
import { resetDestination } from '../notifications/changed-destination.ts';
import { appendEvents } from '../outbox/append.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type ChannelRow, channelAnswer } from './channel-row.ts';
import { readChannelRow } from './list.ts';
import { sealConfig } from './sealed-config.ts';

/** The inputs of a write: organization, channel, ids, key, time (ms) and audit trail. */
export interface ChannelWrite {
  organizationId: string;
  id: string;
  newEventId(): string;
  secrets: SecretBox;
  now: number;
  audit: AuditTrail;
}

/** What creating a channel needs besides its values: the limit of channels. */
export interface ChannelInsert extends ChannelWrite {
  /** The maximum number of channels of the organization. */
  maxChannels: number;
}

/** The values of a channel to store. */
export type ChannelValues = KindAndConfig & { name: string; is_default: boolean; enabled: boolean };

/** Stores a new channel and its event, in the caller's transaction. The first channel of a kind becomes the default. */
export async function insertChannel(
  tx: Transaction,
  write: ChannelInsert,
  values: ChannelValues,
): Promise<ChannelRow> {
  const { organizationId, id, now, secrets, maxChannels } = write;
  await lockChannels(tx, organizationId);
  await requireRoom(tx, organizationId, { kind: 'channels', max: maxChannels });
  const [other] = await tx`
    select 1 from channels where organization_id = ${organizationId} and kind = ${values.kind} and is_default
      and deleted_at is null`;
  const isDefault = values.is_default || other === undefined;
  if (isDefault) await unsetOtherDefault(tx, write, values.kind);
  const { sealed, nonce, key_id: keyId } = sealConfig(secrets, organizationId, id, values);
  await tx`
    insert into channels
      (organization_id, id, kind, name, is_default, enabled, shown, sealed, nonce, key_id, created_at, updated_at)
    values (${organizationId}, ${id}, ${values.kind}, ${values.name}, ${isDefault}, ${values.enabled},
      ${tx.json(maskConfig(values) as never)}, ${sealed}, ${nonce}, ${keyId}, ${now}, ${now})`;
  const row = await emitEvent(tx, write, 'channel.created');
  await recordAudit(tx, write.audit, [auditEntry('channel.created', null, row)]);
  return row;
}

/** Updates a channel that the caller has locked, raises its version, and schedules its queued notifications at once. */
export async function updateChannel(
  tx: Transaction,
  write: ChannelWrite,
  values: ChannelValues,
): Promise<ChannelRow> {
  const { organizationId, id, now, secrets } = write;
  const former = await readChannelRow(tx, organizationId, id);
  if (values.is_default) await unsetOtherDefault(tx, write, values.kind);
  const { sealed, nonce, key_id: keyId } = sealConfig(secrets, organizationId, id, values);
  await tx`
    update channels set name = ${values.name}, is_default = ${values.is_default}, enabled = ${values.enabled},
      shown = ${tx.json(maskConfig(values) as never)}, sealed = ${sealed}, nonce = ${nonce}, key_id = ${keyId},
      version = version + 1, updated_at = greatest(updated_at, ${now}::timestamptz)
    where organization_id = ${organizationId} and id = ${id}`;
  await resetDestination(tx, write);
  const row = await emitEvent(tx, write, 'channel.updated');
  await recordAudit(tx, write.audit, [auditEntry('channel.updated', former, row)]);
  return row;
}

/**
 * Marks a channel that the caller has locked as deleted, erases its secrets, and schedules its queued notifications at once
 * so that they are given up. No other channel becomes the default.
 */
export async function deleteChannel(tx: Transaction, write: ChannelWrite): Promise<void> {
  const { organizationId, id, now } = write;
  const row = await emitEvent(tx, write, 'channel.deleted');
  await recordAudit(tx, write.audit, [auditEntry('channel.deleted', row, null)]);
  await tx`
    update channels set deleted_at = ${now}, updated_at = ${now}, sealed = null, nonce = null, key_id = null
    where organization_id = ${organizationId} and id = ${id}`;
  await resetDestination(tx, write);
}

/** Serializes writes to the channels of one organization until the transaction ends, so that each kind has one default. */
export async function lockChannels(tx: Transaction, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtext(${`channels of ${organizationId}`}))`;
}

/** Unsets the present default of the kind, with an event and an audit record. */
async function unsetOtherDefault(tx: Transaction, write: ChannelWrite, kind: ChannelKind): Promise<void> {
  const { organizationId, id, now } = write;
  const given = await tx<{ id: string }[]>`
    update channels set is_default = false, version = version + 1, updated_at = greatest(updated_at, ${now}::timestamptz)
    where organization_id = ${organizationId} and kind = ${kind} and is_default and deleted_at is null and id <> ${id}
    returning id`;
  for (const { id: formerId } of given) {
    const row = await emitEvent(tx, { ...write, id: formerId }, 'channel.updated');
    await recordAudit(tx, write.audit, [
      auditEntry('channel.updated', { ...row, is_default: true, version: row.version - 1 }, row),
    ]);
  }
}

/** An audit entry with the masked states of a channel, without its last delivery. */
function auditEntry(
  action: AuditEntry['action'],
  before: ChannelRow | null,
  after: ChannelRow | null,
): AuditEntry {
  const { id, name } = (after ?? before) as ChannelRow;
  return { action, object: { type: 'channel', id, name }, before: stateOf(before), after: stateOf(after) };
}

function stateOf(row: ChannelRow | null) {
  if (row === null) return null;
  const { last_delivery: _, ...state } = channelAnswer(row);
  return state;
}

async function emitEvent(
  tx: Transaction,
  write: ChannelWrite,
  type: (typeof CHANNEL_EVENTS)[number],
): Promise<ChannelRow> {
  const { organizationId, id } = write;
  const row = await readChannelRow(tx, organizationId, id);
  if (row === null) throw new Error(`The channel ${id} does not exist.`);
  const { kind, name, is_default, enabled, version } = row;
  const event = cloudEvent({
    id: write.newEventId(),
    organizationId,
    type,
    subject: id,
    time: toIso(write.now),
    data: { channel: { id, kind, name, is_default, enabled, version } },
  });
  await appendEvents(tx, [{ organizationId, event }]);
  return row;
}
