import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { isPlaceholderKey } from '@tidewatch/contracts/problems/placeholder';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { includesScope, type KeyRecord, type RequiredScope } from '@tidewatch/contracts/values/access';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from '../telemetry/logger.ts';
import { createKeyCache, type KeySource } from './key-cache.ts';
import type { KeyUses } from './key-uses.ts';
import { createRefusalLimit } from './refusal-limit.ts';

/** Finds the text of a key in the headers of a request; undefined if there is none. */
export type KeyTextOf = (headers: IncomingHttpHeaders) => string | undefined;

export interface Authentication {
  /**
   * Middleware that answers 401 or 403 before the body is read or requested by `100 Continue`; 503 while keys cannot be
   * looked up, and 429 after too many refused keys from one address. `textOf` finds the key in the headers; see `keyText`.
   */
  authenticate(scope: RequiredScope, textOf?: KeyTextOf): RequestHandler;
  /**
   * Returns the key in the headers of a request that no middleware handles. Throws what `authenticate` answers; `address` is that of
   * the client.
   */
  admit(
    headers: IncomingHttpHeaders,
    scope: RequiredScope,
    address: string | undefined,
    textOf?: KeyTextOf,
  ): Promise<KeyRecord>;
  /**
   * Whether the key in these headers still has the scope; for responses that last longer than the check of their request.
   */
  stillOpens(headers: IncomingHttpHeaders, scope: RequiredScope): Promise<boolean>;
  /** Returns the key with this text, which a body holds. Throws 401 as `authenticate`, and counts nothing. */
  identify(text: string): Promise<KeyRecord>;
  /** The error for a refused request of this address: `error`, or 429 where it is one 401 too many. */
  refuse(error: unknown, address: string | undefined): unknown;
  /** Returns false while the store is unavailable and only cached keys are accepted. */
  healthy(): boolean;
}

const MAX_KEY_LENGTH = 512;
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="tidewatch"' };

/** Returns the key of the request behind this response; may be called only after `authenticate`. */
export function keyOf(response: Response): KeyRecord {
  const key = response.locals.key as KeyRecord | undefined;
  if (key === undefined) throw new Error('the route does not authenticate');
  return key;
}

/** Returns the text of the key from X-API-Key or, without that header, from a bearer token; undefined if there is no key. */
export function keyText(headers: IncomingHttpHeaders): string | undefined {
  const direct = headers['x-api-key'];
  if (typeof direct === 'string' && direct !== '') return direct;
  const authorization = headers.authorization;
  if (authorization === undefined || authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return authorization.slice(7).trim() || undefined;
}

function presentedKey(headers: IncomingHttpHeaders, textOf: KeyTextOf = keyText): string {
  const text = textOf(headers);
  if (text === undefined) throw new ProblemError('key_missing', { headers: CHALLENGE });
  return possibleKey(text);
}

/** Throws 401 for a text that no key has. */
function possibleKey(text: string): string {
  if (isPlaceholderKey(text)) {
    const detail =
      'The key is the placeholder of an example. Replace it with a complete key, which begins with tw_.';
    throw new ProblemError('key_invalid', { detail, headers: CHALLENGE });
  }
  if (text.length > MAX_KEY_LENGTH) throw new ProblemError('key_invalid', { headers: CHALLENGE });
  return text;
}

/** SHA-256 of a key's text, hex; the form in which keys are looked up and stored. */
export function keyDigest(text: string): string {
  return hash('sha256', text, 'hex');
}

export function hasScope({ scopes }: Pick<KeyRecord, 'scopes'>, scope: RequiredScope): boolean {
  return includesScope(scopes, scope);
}

/** Returns the key; throws a problem if it is unknown, revoked or expired at `now`, or lacks the scope. */
function requireUsable(key: KeyRecord | null, scope: RequiredScope, now: number): KeyRecord {
  if (key === null) throw new ProblemError('key_invalid', { headers: CHALLENGE });
  if (key.revokedAt !== null && key.revokedAt <= now)
    throw new ProblemError('key_revoked', { headers: CHALLENGE });
  if (key.expiresAt !== null && key.expiresAt <= now)
    throw new ProblemError('key_expired', { headers: CHALLENGE });
  if (!hasScope(key, scope))
    throw new ProblemError('scope_missing', { detail: `The key lacks the scope ${scope}.` });
  return key;
}

/**
 * Authenticates requests by API keys, which are cached by digest. The cache checks every few seconds whether keys have
 * changed, so that a revoked key stops working within ten seconds; cached keys are accepted for 15 minutes while the store
 * is unavailable.
 */
export function createAuthentication(options: {
  keys: KeySource;
  clock: () => number;
  logger: Logger;
  /** Called for every request that is accepted. */
  uses?: Pick<KeyUses, 'note'>;
}): Authentication {
  const cache = createKeyCache(options);
  /** The last key of each connection, since a connection usually repeats its key; collected with the connection. */
  const lastOn = new WeakMap<Socket, { text: string; digest: string }>();
  function digestOf({ headers, socket }: Request, textOf: KeyTextOf): string {
    const text = presentedKey(headers, textOf);
    const last = lastOn.get(socket);
    if (last?.text === text) return last.digest;
    const digest = keyDigest(text);
    lastOn.set(socket, { text, digest });
    return digest;
  }
  const refusals = createRefusalLimit(options.clock);

  async function findUsable(digest: string, scope: RequiredScope): Promise<KeyRecord> {
    const known = cache.fresh(digest);
    return requireUsable(known === undefined ? await cache.find(digest) : known, scope, options.clock());
  }

  function refuse(error: unknown, address: string | undefined): unknown {
    const isRefusal = error instanceof ProblemError && error.status === 401;
    return isRefusal ? refusals.answerTo(error, address) : error;
  }

  return {
    healthy: cache.healthy,
    refuse,

    async identify(text) {
      return findUsable(keyDigest(possibleKey(text)), 'any');
    },

    async admit(headers, scope, address, textOf) {
      try {
        const key = await findUsable(keyDigest(presentedKey(headers, textOf)), scope);
        options.uses?.note(key);
        return key;
      } catch (error) {
        throw refuse(error, address);
      }
    },

    async stillOpens(headers, scope) {
      try {
        await findUsable(keyDigest(presentedKey(headers)), scope);
        return true;
      } catch {
        return false;
      }
    },
    authenticate(scope, textOf = keyText) {
      function admit(key: KeyRecord | null, request: Request, response: Response): void {
        const admitted = requireUsable(key, scope, options.clock());
        response.locals.key = admitted;
        options.uses?.note(admitted);
        if (request.headers.expect !== undefined) response.writeContinue();
      }
      return (request, response, next) => {
        try {
          const digest = digestOf(request, textOf);
          const known = cache.fresh(digest);
          if (known === undefined) {
            const finding = cache.find(digest).then((key) => admit(key, request, response));
            finding.then(next, (error: unknown) => next(refuse(error, request.ip)));
            return;
          }
          admit(known, request, response);
        } catch (error) {
          return next(refuse(error, request.ip));
        }
        next();
      };
    },
  };
}
