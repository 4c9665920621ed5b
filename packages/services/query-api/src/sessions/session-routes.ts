import { ProblemError, validationProblem } from '@tidewatch/contracts/problems/problem';
import type { SignedIn } from '@tidewatch/contracts/sessions/session';
import type { SESSION_ROUTES } from '@tidewatch/contracts/sessions/session-routes';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { keyDigest, keyOf } from '@tidewatch/runtime/auth/authentication';
import { MAX_SESSION_DAYS } from '@tidewatch/runtime/settings/session-settings';
import { readOrganization } from '@tidewatch/store/organizations/read';
import { type FoundLink, findSignInLink } from '@tidewatch/store/sessions/find';
import { useSignInLink } from '@tidewatch/store/sessions/use-link';
import { confirmSession, endSession, insertSession, makeSessionToken } from '@tidewatch/store/sessions/write';
import type { Request } from 'express';
import type { Call } from '../http/call.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { grantedScopes } from './granted-scopes.ts';
import { readIdentity } from './identity.ts';
import type { SessionKey } from './session-fault.ts';
import { createSessionMetrics } from './session-metrics.ts';
import { createSignInLimit } from './sign-in-limit.ts';

/** Lifetime of a display's session, days. */
const DISPLAY_DAYS = 365;
const MAX_USER_AGENT = 300;
/** Max size of the body of a sign-in, bytes: it is read before anybody is known. */
const MAX_SIGN_IN_BYTES = 4_096;

/** What a sign-in presents: a key, or a link and the key that it signs in for. */
interface Presented {
  key: KeyRecord;
  link?: FoundLink;
}

/** The routes of `/api/v1/session`. */
export function createSessionHandlers(options: QueryApiOptions): Handlers<typeof SESSION_ROUTES> {
  const { sql, access, clock, newId, config, metrics } = options;
  const counted = createSessionMetrics(metrics);
  const limitSignIns = createSignInLimit(clock);

  return {
    async signIn(call) {
      try {
        const signedIn = await signIn(call);
        counted.signIn('signed_in');
        call.response.json(signedIn);
      } catch (error) {
        const refusal = access.refuse(error, call.request.ip);
        if (refusal instanceof ProblemError) counted.signIn(refusal.code);
        throw refusal;
      }
    },

    async getSession({ response }) {
      response.json(await readIdentity(options, keyOf(response)));
    },

    async confirmSession(call) {
      const { session, organizationId, id } = keyOf(call.response);
      const { key: text } = await call.body();
      if (session === undefined) throw withoutSession();
      const given = await access.identify(text).catch((error: unknown) => {
        throw access.refuse(error, call.request.ip);
      });
      if (given.id !== id) throw otherKey();
      limitSignIns(id);
      const { audit, now } = call.change(options);
      const until = now + config.sessionConfirmMinutes * MINUTE_MS;
      const target = { organizationId, id: session.id, until };
      const confirmed = await sql.begin((tx) => confirmSession(tx, target, audit));
      if (confirmed === null) throw new ProblemError('session_ended');
      await access.forget(call.request);
      call.response.json(await readIdentity(options, keyOf(call.response)));
    },

    async signOut(call) {
      const { session, organizationId } = keyOf(call.response);
      if (session === undefined) throw withoutSession();
      const { audit } = call.change(options);
      await sql.begin((tx) => endSession(tx, { organizationId, id: session.id }, audit));
      await access.forget(call.request);
      const cookie = await access.cookieOf(call.request);
      call.response.clearCookie(cookie.name, cookie.options);
    },
  };

  async function signIn(call: Call<(typeof SESSION_ROUTES)[0]>): Promise<SignedIn> {
    const { request, response } = call;
    access.requireConsole(request);
    if (request.headers.expect !== undefined) response.writeContinue();
    const { key: text, link: secret, read_only: readOnly } = await call.body(MAX_SIGN_IN_BYTES);
    const { key, link } =
      text === undefined ? await findLink(secret as string) : { key: await access.identify(text) };
    const kind = link?.kind ?? 'person';
    const scopes = grantedScopes({ key, kind, readOnly, ...(link && { scopes: link.scopes }) });
    limitSignIns(key.id);
    const former = await access.sessionOf(request);
    const now = clock();
    const ends = now + (kind === 'display' ? DISPLAY_DAYS : MAX_SESSION_DAYS) * DAY_MS;
    const session = {
      id: newId('ses'),
      kind,
      keyScopes: key.scopes,
      lastUsedAt: now,
      confirmedUntil: now + config.sessionConfirmMinutes * MINUTE_MS,
      expiresAt: Math.min(ends, key.expiresAt ?? ends),
    };
    const token = makeSessionToken();
    const { organizationId } = key;
    const signedIn: KeyRecord = { ...key, scopes, session };
    response.locals.key = signedIn;
    const { audit } = call.change(options);
    const stored = {
      ...session,
      organizationId,
      keyId: key.id,
      tokenSha256: token.sha256,
      name: link?.name ?? null,
      scopes,
      userAgent: request.get('User-Agent')?.slice(0, MAX_USER_AGENT) ?? null,
      address: request.ip ?? null,
      now,
    };
    const limits = { max: config.limits.sessionsLimit, usedAfter: now - config.sessionIdleDays * DAY_MS };
    const identity = await inOrganization(organizationId, async () => {
      await sql.begin(async (tx) => {
        if (link !== undefined && !(await useSignInLink(tx, { organizationId, id: link.id, now })))
          throw new ProblemError('sign_in_link_used');
        await insertSession(tx, stored, audit, limits);
      });
      return readIdentity(options, signedIn);
    });
    const replaced = former && (await replace(former, request));
    const cookie = await access.cookieOf(request);
    response.cookie(cookie.name, token.text, { ...cookie.options, expires: new Date(session.expiresAt) });
    return { ...identity, replaced };
  }

  /** The link with this secret and its key. Throws 401 where either cannot be used. */
  async function findLink(secret: string): Promise<Presented> {
    const link = await findSignInLink(sql, keyDigest(secret));
    if (link === null) throw new ProblemError('sign_in_link_invalid');
    if (link.usedAt !== null) throw new ProblemError('sign_in_link_used');
    const now = clock();
    const { key } = link;
    if (link.expiresAt <= now) throw new ProblemError('sign_in_link_expired');
    if (key.revokedAt !== null && key.revokedAt <= now) throw new ProblemError('key_revoked');
    if (key.expiresAt !== null && key.expiresAt <= now) throw new ProblemError('key_expired');
    return { key, link };
  }

  /** Ends the session that the browser had before, which may be of another organization. */
  async function replace(former: SessionKey, request: Request): Promise<SignedIn['replaced']> {
    const { id, name, organizationId, session } = former;
    const audit = {
      organizationId,
      actor: { key_id: id, name, session_id: session.id },
      now: clock(),
      ip: request.ip ?? null,
      newAuditId: () => newId('aud'),
      maxBytesPerHour: config.limits.auditBytesPerHour,
    };
    const [row, organization] = await inOrganization(organizationId, async () => [
      await sql.begin((tx) => endSession(tx, { organizationId, id: session.id }, audit)),
      await readOrganization(sql, organizationId),
    ]);
    await access.forget(request);
    if (row === null || organization === null) return null;
    return { id: row.id, kind: row.kind, name: row.name, key: { id, name }, organization };
  }
}

function withoutSession(): ProblemError {
  return new ProblemError('not_found', { detail: 'The request has a key, and so no session.' });
}

function otherKey(): ProblemError {
  const message = 'Must be the key of the session.';
  return validationProblem([{ in: 'body', path: '/key', code: 'other_key', message }]);
}
