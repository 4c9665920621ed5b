import { faultProblem, ProblemError } from '@tidewatch/contracts/problems/problem';
import { SESSION_SCOPES } from '@tidewatch/contracts/sessions/session';
import type { SESSION_LIST_ROUTES } from '@tidewatch/contracts/sessions/session-list-routes';
import {
  LINK_MS,
  MAX_LINK_MS,
  type SignInLinkDefinition,
  signInUrl,
} from '@tidewatch/contracts/sessions/sign-in-link';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { hasScope, keyOf } from '@tidewatch/runtime/auth/authentication';
import { readKeyKind } from '@tidewatch/store/keys/key-kind';
import { insertSignInLink } from '@tidewatch/store/sessions/insert-link';
import {
  listSessions,
  type SessionFilter,
  type SessionSight,
  seesSession,
} from '@tidewatch/store/sessions/list';
import { endSession, makeSessionToken } from '@tidewatch/store/sessions/write';
import { pageByTime } from '../http/list-answer.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { grantedScopes } from './granted-scopes.ts';
import { createSignInLimit } from './sign-in-limit.ts';

/** The routes of `/api/v1/sessions` and `/api/v1/sign-in-links`. */
export function createSessionListHandlers(options: QueryApiOptions): Handlers<typeof SESSION_LIST_ROUTES> {
  const { sql, access, clock, newId, config } = options;
  const limitLinks = createSignInLimit(clock);

  function filterOf(key: KeyRecord, sight: SessionSight): SessionFilter {
    const now = clock();
    const usedAfter = now - config.sessionIdleDays * DAY_MS;
    return { organizationId: key.organizationId, sight, now, usedAfter };
  }

  return {
    async listSessions({ query, request, response }) {
      const key = keyOf(response);
      const seesAll = hasScope(key, 'admin') && (await access.isConfirmed(request, key));
      const filter = filterOf(key, seesAll ? 'all' : ownSight(key));
      const page = await pageByTime(query, { noun: 'sessions', time: 'created_at' }, (window) =>
        listSessions(sql, filter, key.session?.id, window),
      );
      response.json(page);
    },

    async endSession(call) {
      const key = keyOf(call.response);
      const { id } = call;
      if (!(await seesSession(sql, filterOf(key, ownSight(key)), id))) {
        if (!hasScope(key, 'admin')) throw new ProblemError('not_found');
        if (!(await access.isConfirmed(call.request, key))) throw new ProblemError('confirmation_needed');
      }
      const { audit, organizationId } = call.change(options);
      const ended = await sql.begin((tx) => endSession(tx, { organizationId, id }, audit));
      if (ended === null) throw new ProblemError('not_found');
      if (id === key.session?.id) await access.forget(call.request);
    },

    async createSignInLink(call) {
      const { request, response } = call;
      const definition = await call.body();
      const key = keyOf(response);
      const now = clock();
      const expiresAt = definition.expires_at ?? now + LINK_MS;
      refuseEnd(expiresAt, now);
      refuseMightier(key, definition);
      if (!(await access.isConfirmed(request, key))) throw new ProblemError('confirmation_needed');
      const { kind, name, scopes } = definition;
      grantedScopes({ key, kind, scopes, readOnly: false });
      const keyKind = await readKeyKind(sql, key.organizationId, key.id);
      if (kind === 'display' && keyKind === 'person') throw displayOfPerson();
      if (kind === 'person' && keyKind !== 'person' && !config.hasKeySignIn)
        throw new ProblemError('key_sign_in_off');
      limitLinks(key.id);
      const { text, sha256: secretSha256 } = makeSessionToken();
      const { audit, organizationId } = call.change(options);
      const link = {
        id: newId('lnk'),
        organizationId,
        keyId: key.id,
        secretSha256,
        kind,
        name,
        scopes,
        now,
        expiresAt,
      };
      await sql.begin((tx) => insertSignInLink(tx, link, audit, config.limits.signInLinksLimit));
      const url = signInUrl(config.publicUrl ?? access.originOf(request), text);
      response.json({ url, expires_at: toIso(expiresAt) });
    },
  };
}

/** The sessions that are a request's own: of its key, with no more scopes; of a display itself alone. */
function ownSight(key: KeyRecord): SessionSight {
  const { session } = key;
  if (session?.kind === 'display') return { id: session.id };
  return { keyId: key.id, scopes: SESSION_SCOPES.filter((scope) => hasScope(key, scope)) };
}

function refuseEnd(expiresAt: number, now: number): void {
  if (expiresAt > now && expiresAt <= now + MAX_LINK_MS) return;
  const message = 'Must lie in the future, at most seven days from now.';
  throw faultProblem('body', '/expires_at', 'out_of_range', message);
}

/** A display stays signed in for a year, and a person must sign in again after twelve hours at most. */
function displayOfPerson(): ProblemError {
  const message = 'A display is signed in by a link of a key, and not of a user of single sign-on.';
  return faultProblem('body', '/kind', 'needs_key', message);
}

/** A link may not sign in with more than its maker may do. */
function refuseMightier(key: KeyRecord, { scopes }: SignInLinkDefinition): void {
  const missing = scopes.filter((scope) => !hasScope(key, scope));
  if (missing.length === 0) return;
  if (key.scopes.every((scope) => scope === 'ingest'))
    throw new ProblemError('scope_missing', { detail: 'This key can only send samples.' });
  throw new ProblemError('scope_missing', {
    detail: `The key lacks the scope ${missing.join(', ')} itself.`,
  });
}
