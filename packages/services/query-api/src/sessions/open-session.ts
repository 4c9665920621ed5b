import type { Identity, SessionKind, SignedIn } from '@tidewatch/contracts/sessions/session';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord, Scope } from '@tidewatch/contracts/values/access';
import type { Transaction } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { readOrganization } from '@tidewatch/store/organizations/read';
import { endSession, insertSession, makeSessionToken } from '@tidewatch/store/sessions/write';
import type { Request, Response } from 'express';
import { changeBy } from '../http/change.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { readIdentity } from './identity.ts';

const MAX_USER_AGENT = 300;

/** A session that begins. Times are ms. */
export interface Opening {
  /** The key for which it acts, with the scopes of the key. */
  key: KeyRecord;
  kind: SessionKind;
  /** The name of the link that signed in; null without a link. */
  name: string | null;
  scopes: readonly Scope[];
  confirmedUntil: number;
  expiresAt: number;
  /** Runs first in the transaction that stores the session. */
  before?(tx: Transaction): Promise<void>;
}

/** A session that the browser had before. */
export interface FormerSession {
  id: string;
  organizationId: string;
  key: { id: string; name: string };
}

type Options = Pick<QueryApiOptions, 'sql' | 'access' | 'clock' | 'newId' | 'config'>;

/** Stores a session with its audit record, and sets its cookie in the response. */
export async function openSession(
  options: Options,
  request: Request,
  response: Response,
  opening: Opening,
): Promise<Identity> {
  const { sql, access, clock, newId, config } = options;
  const { key, kind, name, scopes, confirmedUntil, expiresAt, before } = opening;
  const now = clock();
  const { organizationId } = key;
  const session = {
    id: newId('ses'),
    kind,
    keyScopes: key.scopes,
    lastUsedAt: now,
    confirmedUntil,
    expiresAt,
  };
  const token = makeSessionToken();
  const signedIn: KeyRecord = { ...key, scopes, session };
  response.locals.key = signedIn;
  const { audit } = changeBy(signedIn, request, options);
  const stored = {
    ...session,
    organizationId,
    keyId: key.id,
    tokenSha256: token.sha256,
    name,
    scopes,
    userAgent: request.get('User-Agent')?.slice(0, MAX_USER_AGENT) ?? null,
    address: request.ip ?? null,
    now,
  };
  const limits = { max: config.limits.sessionsLimit, usedAfter: now - config.sessionIdleDays * DAY_MS };
  const identity = await inOrganization(organizationId, async () => {
    await sql.begin(async (tx) => {
      await before?.(tx);
      await insertSession(tx, stored, audit, limits);
    });
    return readIdentity(options, signedIn);
  });
  const cookie = await access.cookieOf(request);
  response.cookie(cookie.name, token.text, { ...cookie.options, expires: new Date(expiresAt) });
  return identity;
}

/** Ends the session that the browser had before, which may be of another organization; null where it has ended already. */
export async function endFormerSession(
  options: Options,
  request: Request,
  { id, organizationId, key }: FormerSession,
): Promise<SignedIn['replaced']> {
  const { sql, clock, newId, config } = options;
  const audit = {
    organizationId,
    actor: { key_id: key.id, name: key.name, session_id: id },
    now: clock(),
    ip: request.ip ?? null,
    newAuditId: () => newId('aud'),
    maxBytesPerHour: config.limits.auditBytesPerHour,
  };
  const [row, organization] = await inOrganization(organizationId, async () => [
    await sql.begin((tx) => endSession(tx, { organizationId, id }, audit)),
    await readOrganization(sql, organizationId),
  ]);
  if (row === null || organization === null) return null;
  return { id: row.id, kind: row.kind, name: row.name, key, organization };
}
