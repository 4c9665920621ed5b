import { setImmediate } from 'node:timers/promises';
import type { AuditAction, AuditObjectType } from '@tidewatch/contracts/audit/audit';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Transaction } from '@tidewatch/database/connection';
import { LimitReachedError } from '../limits/limit-reached.ts';
import { auditStates } from './audit-state.ts';

/** The actor, client address and time (ms) of a change, which the audit log records with it. */
export interface AuditTrail {
  organizationId: string;
  actor: Actor;
  /** The client address of the request; null if there is none. */
  ip: string | null;
  now: number;
  newAuditId(): string;
  /** The maximum size of the records of the organization in one hour of the clock, bytes. */
  maxBytesPerHour: number;
}

/** A change in the audit log. States have secrets masked; null before a creation and after a deletion. */
export interface AuditEntry {
  action: AuditAction;
  object: { type: AuditObjectType; id: string; name: string };
  before: object | null;
  after: object | null;
}

/** The size of a record besides its states, bytes: names, ids, and index entries. */
const RECORD_BYTES = 500;
/** The number of records that are built before yielding to the event loop: a rule set may change thousands of rules. */
const RECORDS_AT_ONCE = 100;

/**
 * Records changes in the transaction that makes them; nothing if `trail` is null because no user made them. Throws
 * `LimitReachedError` if the organization's records exceed their hourly limit of bytes.
 */
export async function recordAudit(
  tx: Transaction,
  trail: AuditTrail | null,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (trail === null) return;
  for (let start = 0; start < entries.length; start += RECORDS_AT_ONCE) {
    if (start > 0) await setImmediate();
    await recordSome(tx, trail, entries.slice(start, start + RECORDS_AT_ONCE));
  }
}

async function recordSome(tx: Transaction, trail: AuditTrail, entries: readonly AuditEntry[]): Promise<void> {
  const { organizationId, actor, ip, now } = trail;
  const rows = entries.map(({ action, object, before, after }) => {
    return {
      id: trail.newAuditId(),
      action,
      type: object.type,
      object: object.id,
      name: object.name,
      ...auditStates(before, after),
    };
  });
  const text = JSON.stringify(rows);
  await countBytes(tx, trail, Buffer.byteLength(text) + rows.length * RECORD_BYTES);
  await tx`
    insert into audit (organization_id, id, at, key_id, key_name, action, object_type, object_id, object_name, ip, before, after,
      session_id)
    select ${organizationId}, r.id, ${now}::timestamptz, ${actor.key_id}, ${actor.name}, r.action, r.type, r.object, r.name,
      ${ip}::text, nullif(r.before, 'null'), nullif(r.after, 'null'), ${actor.session_id ?? null}::text
    from jsonb_to_recordset(${text}::text::jsonb)
      as r(id text, action text, type text, object text, name text, before jsonb, after jsonb)`;
}

async function countBytes(
  tx: Transaction,
  { organizationId, now, maxBytesPerHour }: AuditTrail,
  bytes: number,
): Promise<void> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  const [usage] = await tx<{ bytes: number }[]>`
    insert into audit_usage as u (organization_id, hour, bytes) values (${organizationId}, ${hour}, ${bytes})
    on conflict (organization_id) do update set hour = excluded.hour,
      bytes = case when u.hour = excluded.hour then u.bytes else 0 end + excluded.bytes
    returning bytes`;
  if ((usage?.bytes ?? 0) > maxBytesPerHour) throw new LimitReachedError('auditBytes', maxBytesPerHour);
}
