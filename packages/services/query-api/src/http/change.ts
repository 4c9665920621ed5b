import type { KeyRecord } from '@tidewatch/contracts/values/access';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { AuditTrail } from '@tidewatch/store/audit/record';
import type { Request } from 'express';
import type { QueryApiOptions } from '../query-api-options.ts';

/** The organization, actor and time of a change, and the record of the change in the audit log. */
export interface Change {
  organizationId: string;
  /** ms */
  now: number;
  actor: Actor;
  audit: AuditTrail;
}

/** The key, or a key and the session that acts for it, with which somebody changes something. */
export interface ChangingKey extends Pick<KeyRecord, 'id' | 'name' | 'organizationId'> {
  session?: { id: string };
}

/** A change that this key, or the session that acts for it, makes by the request. */
export function changeBy(
  { id, name, organizationId, session }: ChangingKey,
  request: Request,
  { clock, newId, config }: Pick<QueryApiOptions, 'clock' | 'newId' | 'config'>,
): Change {
  const now = clock();
  const actor = { key_id: id, name, ...(session && { session_id: session.id }) };
  const audit = {
    organizationId,
    actor,
    now,
    ip: request.ip ?? null,
    newAuditId: () => newId('aud'),
    maxBytesPerHour: config.limits.auditBytesPerHour,
  };
  return { organizationId, now, actor, audit };
}
