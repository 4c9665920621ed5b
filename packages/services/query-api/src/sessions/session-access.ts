import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { CONSOLE_HEADER } from '@tidewatch/contracts/sessions/session';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord, RequiredScope } from '@tidewatch/contracts/values/access';
import { type Authentication, keyDigest, keyText } from '@tidewatch/runtime/auth/authentication';
import { createKeyCache, type KeySource } from '@tidewatch/runtime/auth/key-cache';
import type { KeyUses } from '@tidewatch/runtime/auth/key-uses';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { CookieOptions, Request, RequestHandler } from 'express';
import { crossSiteFault, originOf } from './cross-site.ts';
import { cookieName, cookieOptions, readToken } from './session-cookie.ts';
import { type SessionKey, sessionFault, withinKey } from './session-fault.ts';

export interface SessionAccessOptions extends Pick<ServiceEnvironment, 'clock' | 'logger'> {
  /** Checks keys. */
  authentication: Authentication;
  /** Looks sessions up. */
  sessions: KeySource;
  /** Reads the eight digits in the names of the installation's cookies. */
  readCookieId(): Promise<string>;
  /** Whether a request is a download, which a plain link asks for. */
  isDownload(request: Request): boolean;
  publicUrl: string | null;
  idleDays: number;
  keyUses: Pick<KeyUses, 'note'>;
  sessionUses: Pick<KeyUses, 'note'>;
  /** Counts a request that was refused because it came from another site. */
  refusedCrossSite(): void;
}

/** Checks keys and, in requests without a key, sessions. */
export interface SessionAccess extends Pick<Authentication, 'identify' | 'refuse'> {
  /**
   * Middleware that requires a key or session with the scope. A request with a session gets 403 `cross_site` unless it
   * comes from the console.
   */
  authenticate(scope: RequiredScope): RequestHandler;
  /** Whether the key or session of this request still has the scope. */
  stillOpens(request: Request, scope: RequiredScope): Promise<boolean>;
  /** Throws 403 `cross_site` unless the request comes from the console. */
  requireConsole(request: Request): void;
  /** The origin under which a client reached this server, such as `https://tidewatch.example.com`. */
  originOf(request: Request): string;
  /** The name of the cookie and how it is set in the answer to this request. */
  cookieOf(request: Request): Promise<{ name: string; options: CookieOptions }>;
  /** The usable session of this request's cookie, whatever key was sent; null without one. */
  sessionOf(request: Request): Promise<SessionKey | null>;
  /** Removes the session of this request's cookie from the cache, after it was changed or ended here. */
  forget(request: Request): Promise<void>;
  /** Whether a request may use its privileged scopes: with a key always, with a session while it is confirmed. */
  isConfirmed(request: Request, key: KeyRecord): Promise<boolean>;
  /** Whether the cache of sessions reaches the database. */
  healthy(): boolean;
}

export function createSessionAccess(options: SessionAccessOptions): SessionAccess {
  const { authentication, clock, publicUrl, keyUses, sessionUses, logger } = options;
  const idleMs = options.idleDays * DAY_MS;
  const cache = createKeyCache({ keys: narrowed(options.sessions), clock, logger, of: 'sessions' });
  const publicOrigin = publicUrl === null ? undefined : originOf(publicUrl);
  let cookieId: Promise<string> | undefined;

  function readCookieId(): Promise<string> {
    cookieId ??= options.readCookieId().catch((error: unknown) => {
      cookieId = undefined;
      throw databaseProblem(error);
    });
    return cookieId;
  }

  async function tokenOf(request: Request): Promise<string | undefined> {
    if (!request.headers.cookie?.includes('tidewatch-')) return undefined;
    return readToken(request.headers.cookie, cookieName(await readCookieId(), request.secure));
  }

  function requestOrigin(request: Request): string {
    return originOf(`${request.protocol}://${request.host}`) ?? '';
  }

  function requireConsole(request: Request): void {
    const own = [requestOrigin(request), publicOrigin].filter((each) => each !== undefined);
    const fault = crossSiteFault({
      consoleHeader: request.get(CONSOLE_HEADER),
      fetchSite: request.get('Sec-Fetch-Site'),
      origin: request.get('Origin'),
      ownOrigins: [...new Set(own)],
      isDownload: options.isDownload(request),
    });
    if (fault === undefined) return;
    options.refusedCrossSite();
    throw new ProblemError('cross_site', { detail: fault });
  }

  /** The session of a token if it may use the scope. What the cache refuses may have changed elsewhere, and is read again. */
  async function usable(token: string, scope: RequiredScope): Promise<SessionKey> {
    if (token === '') throw new ProblemError('session_ended');
    const digest = keyDigest(token);
    const known = cache.fresh(digest);
    const cached = (known === undefined ? await cache.find(digest) : known) as SessionKey | null;
    if (cached === null) throw new ProblemError('session_ended');
    if (sessionFault(cached, scope, { now: clock(), idleMs }) === undefined) return used(cached);
    const current = (await cache.reread(digest)) as SessionKey | null;
    const fault = current === null ? 'session_ended' : sessionFault(current, scope, { now: clock(), idleMs });
    if (fault === 'scope_missing')
      throw new ProblemError(fault, { detail: `The session lacks the scope ${scope}.` });
    if (fault !== undefined) throw new ProblemError(fault);
    return used(current as SessionKey);
  }

  /** Other processes learn within a minute that the session is not idle; this one at once. */
  function used(key: SessionKey): SessionKey {
    key.session.lastUsedAt = Math.max(key.session.lastUsedAt, clock());
    keyUses.note(key);
    sessionUses.note({ id: key.session.id, organizationId: key.organizationId });
    return key;
  }

  function authenticate(scope: RequiredScope): RequestHandler {
    const byKey = authentication.authenticate(scope);
    return async (request, response, next) => {
      if (keyText(request.headers) !== undefined) return byKey(request, response, next);
      try {
        const token = await tokenOf(request);
        if (token === undefined) return byKey(request, response, next);
        requireConsole(request);
        response.locals.key = await usable(token, scope);
      } catch (error) {
        return next(authentication.refuse(error, request.ip));
      }
      response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
      if (request.headers.expect !== undefined) response.writeContinue();
      next();
    };
  }

  async function sessionOf(request: Request): Promise<SessionKey | null> {
    const token = await tokenOf(request);
    if (token === undefined) return null;
    return usable(token, 'any').catch((error: unknown) => {
      if (error instanceof ProblemError && error.status === 401) return null;
      throw error;
    });
  }

  return {
    identify: authentication.identify,
    refuse: authentication.refuse,
    authenticate,
    requireConsole,
    sessionOf,
    originOf: requestOrigin,
    healthy: cache.healthy,

    async stillOpens(request, scope) {
      if (keyText(request.headers) !== undefined) return authentication.stillOpens(request.headers, scope);
      try {
        const token = await tokenOf(request);
        return token !== undefined && (await usable(token, scope)) !== undefined;
      } catch {
        return false;
      }
    },

    async isConfirmed(request, { session }) {
      if (session === undefined || session.confirmedUntil > clock()) return true;
      const token = await tokenOf(request);
      const current = token ? await cache.reread(keyDigest(token)) : null;
      return (current?.session?.confirmedUntil ?? 0) > clock();
    },

    async cookieOf(request) {
      const name = cookieName(await readCookieId(), request.secure);
      return { name, options: cookieOptions(request.secure) };
    },

    async forget(request) {
      const token = await tokenOf(request);
      if (token) cache.forget(keyDigest(token));
    },
  };
}

/** A source whose sessions have only scopes that their keys have, too. */
function narrowed({ find, revision }: KeySource): KeySource {
  const narrow = (key: KeyRecord | null) => key && withinKey(key as SessionKey);
  return { find: async (digest) => narrow(await find(digest)), revision };
}

function databaseProblem(error: unknown): ProblemError {
  return new ProblemError('database_unavailable', { headers: { 'Retry-After': '5' }, cause: error });
}
