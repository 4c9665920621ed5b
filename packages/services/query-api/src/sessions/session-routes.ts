import { faultProblem, ProblemError } from '@tidewatch/contracts/problems/problem';
import type { SignedIn } from '@tidewatch/contracts/sessions/session';
import type { SESSION_ROUTES } from '@tidewatch/contracts/sessions/session-routes';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { keyDigest, keyOf } from '@tidewatch/runtime/auth/authentication';
import { MAX_SESSION_DAYS } from '@tidewatch/runtime/settings/session-settings';
import { readKeyKind } from '@tidewatch/store/keys/key-kind';
import { type FoundLink, findSignInLink } from '@tidewatch/store/sessions/find';
import { useSignInLink } from '@tidewatch/store/sessions/use-link';
import { confirmSession, endSession } from '@tidewatch/store/sessions/write';
import type { Call } from '../http/call.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { grantedScopes } from './granted-scopes.ts';
import { readIdentity } from './identity.ts';
import { endFormerSession, openSession } from './open-session.ts';
import { createSessionMetrics } from './session-metrics.ts';
import { createSignInLimit, MAX_SIGN_IN_BYTES, PERSON_SESSION_MS } from './sign-in-limit.ts';

/** Lifetime of a display's session, days. */
const DISPLAY_DAYS = 365;

/** What a sign-in presents: a key, or a link and the key that it signs in for. */
interface Presented {
  key: KeyRecord;
  link?: FoundLink;
}

/** The routes of `/api/v1/session`. */
export function createSessionHandlers(options: QueryApiOptions): Handlers<typeof SESSION_ROUTES> {
  const { sql, access, clock, config, metrics } = options;
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
      requireKeySignIn();
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
    if (text !== undefined) requireKeySignIn();
    const { key, link } =
      text === undefined ? await findLink(secret as string) : { key: await access.identify(text) };
    const kind = link?.kind ?? 'person';
    const isOfPerson = link !== undefined && (await kindOf(key)) === 'person';
    if (kind === 'person' && !isOfPerson) requireKeySignIn();
    const scopes = grantedScopes({ key, kind, readOnly, ...(link && { scopes: link.scopes }) });
    limitSignIns(key.id);
    const former = await access.sessionOf(request);
    const now = clock();
    const lasts = kind === 'display' ? DISPLAY_DAYS * DAY_MS : MAX_SESSION_DAYS * DAY_MS;
    const ends = now + (isOfPerson ? PERSON_SESSION_MS : lasts);
    const identity = await openSession(options, request, response, {
      key,
      kind,
      name: link?.name ?? null,
      scopes,
      confirmedUntil: now + config.sessionConfirmMinutes * MINUTE_MS,
      expiresAt: Math.min(ends, key.expiresAt ?? ends),
      before: async (tx) => {
        const used = { organizationId: key.organizationId, id: link?.id ?? '', now };
        if (link !== undefined && !(await useSignInLink(tx, used)))
          throw new ProblemError('sign_in_link_used');
      },
    });
    if (former === null) return { ...identity, replaced: null };
    const { id, name, organizationId, session } = former;
    const replaced = await endFormerSession(options, request, {
      id: session.id,
      organizationId,
      key: { id, name },
    });
    await access.forget(request);
    return { ...identity, replaced };
  }

  function kindOf({ organizationId, id }: KeyRecord) {
    return inOrganization(organizationId, () => readKeyKind(sql, organizationId, id));
  }

  function requireKeySignIn(): void {
    if (!config.hasKeySignIn) throw new ProblemError('key_sign_in_off');
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
}

function withoutSession(): ProblemError {
  return new ProblemError('not_found', { detail: 'The request has a key, and so no session.' });
}

function otherKey(): ProblemError {
  return faultProblem('body', '/key', 'other_key', 'Must be the key of the session.');
}
