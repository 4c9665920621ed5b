import { hash, randomBytes } from 'node:crypto';
import type { Session, SessionKind } from '@tidewatch/contracts/sessions/session';
import type { Scope } from '@tidewatch/contracts/values/access';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { requireRoom } from '../limits/require-room.ts';
import { type SessionRow, sessionAnswer, sessionColumns } from './session-row.ts';

const TOKEN_BYTES = 32;

/** The secret of a session or a link, and its digest, which alone is stored. */
export interface SessionToken {
  /** 256 random bits, base64url. */
  text: string;
  /** SHA-256 of the text, 64 hex digits. */
  sha256: string;
}

export function makeSessionToken(random: (bytes: number) => Buffer = randomBytes): SessionToken {
  const text = random(TOKEN_BYTES).toString('base64url');
  return { text, sha256: hash('sha256', text, 'hex') };
}

/** A session as it is created. Times are ms. */
export interface NewSession {
  id: string;
  organizationId: string;
  keyId: string;
  tokenSha256: string;
  kind: SessionKind;
  name: string | null;
  scopes: readonly Scope[];
  userAgent: string | null;
  address: string | null;
  now: number;
  confirmedUntil: number;
  expiresAt: number;
}

export interface SessionLimits {
  /** The maximum number of open sessions of the organization. */
  max: number;
  /** Sessions of persons that were not used after this time (ms) have ended. */
  usedAfter: number;
}

/** Stores a session with its audit record; deletes those of the organization that have expired. */
export async function insertSession(
  tx: Transaction,
  session: NewSession,
  audit: AuditTrail,
  { max, usedAfter }: SessionLimits,
): Promise<Session> {
  const { organizationId, now } = session;
  const isOver = () => tx`organization_id = ${organizationId}
    and (expires_at <= ${now}::timestamptz or (kind = 'person' and last_used_at <= ${usedAfter}::timestamptz))`;
  // A deletion, even of nothing, raises the revision, after which every process reads each session again.
  const over = await tx`select 1 from sessions where ${isOver()} limit 1`;
  if (over.length > 0) await tx`delete from sessions where ${isOver()}`;
  await requireRoom(tx, organizationId, { kind: 'sessions', max });
  await tx`
    insert into sessions (organization_id, id, key_id, token_sha256, kind, name, scopes, user_agent, address, created_at,
      last_used_at, confirmed_until, expires_at)
    select ${organizationId}, ${session.id}, ${session.keyId}, decode(${session.tokenSha256}, 'hex'), ${session.kind},
      ${session.name}::text, string_to_array(${session.scopes.join(',')}, ','), ${session.userAgent}::text,
      ${session.address}::text, ${now}::timestamptz, ${now}::timestamptz, ${session.confirmedUntil}::timestamptz,
      ${session.expiresAt}::timestamptz`;
  const row = (await readSessionRow(tx, organizationId, session.id)) as SessionRow;
  await recordAudit(tx, audit, [entryOf('session.created', null, row)]);
  return sessionAnswer(row, session.id);
}

/** Ends a session with its audit record; null where there is none. */
export async function endSession(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
  audit: AuditTrail,
): Promise<SessionRow | null> {
  const [row] = await tx<SessionRow[]>`
    delete from sessions s using api_keys k
    where s.organization_id = ${organizationId} and s.id = ${id} and k.organization_id = s.organization_id and k.id = s.key_id
    returning ${sessionColumns(tx)}`;
  if (row === undefined) return null;
  await recordAudit(tx, audit, [entryOf('session.ended', row, null)]);
  return row;
}

/** Lets a session use its privileged scopes until `until` (ms); null where there is none. */
export async function confirmSession(
  tx: Transaction,
  { organizationId, id, until }: { organizationId: string; id: string; until: number },
  audit: AuditTrail,
): Promise<Session | null> {
  const before = await readSessionRow(tx, organizationId, id);
  if (before === null) return null;
  await tx`
    update sessions set confirmed_until = ${until}::timestamptz where organization_id = ${organizationId} and id = ${id}`;
  const after = { ...before, confirmed_until: until };
  await recordAudit(tx, audit, [entryOf('session.confirmed', before, after)]);
  return sessionAnswer(after, id);
}

/** A session, or null. */
export async function readSessionRow(
  sql: Queryable,
  organizationId: string,
  id: string,
): Promise<SessionRow | null> {
  const [row] = await sql<SessionRow[]>`
    select ${sessionColumns(sql)} from sessions s
    join api_keys k on k.organization_id = s.organization_id and k.id = s.key_id
    where s.organization_id = ${organizationId} and s.id = ${id}`;
  return row ?? null;
}

function entryOf(
  action: 'session.created' | 'session.confirmed' | 'session.ended',
  before: SessionRow | null,
  after: SessionRow | null,
) {
  const { id, key_name, name } = (after ?? before) as SessionRow;
  const state = (row: SessionRow | null) => {
    if (row === null) return null;
    const { current: _, last_used_at: __, ...shown } = sessionAnswer(row, undefined);
    return shown;
  };
  const object = { type: 'session' as const, id, name: name ?? key_name };
  return { action, object, before: state(before), after: state(after) };
}
