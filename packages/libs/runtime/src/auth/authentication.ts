import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { KeyRecord, Scope } from '@tidewatch/contracts/values/access';
import { isPlaceholderKey } from '@tidewatch/contracts/values/placeholder';
import { ProblemError } from '@tidewatch/contracts/values/problem';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from '../telemetry/logger.ts';
import { createKeyCache, type KeySource } from './key-cache.ts';
import type { KeyUses } from './key-uses.ts';
import { createRefusalLimit } from './refusal-limit.ts';

export interface Authentication {
  /**
   * Middleware: 401 or 403 before anything of the body is read, or asked for by a `100 Continue`; 503 while keys
   * cannot be looked up, 429 once an address had too many keys refused.
   */
  authenticate(scope: Scope): RequestHandler;
  /** Whether the key of these headers still opens the scope: for answers that go on after their request was judged. */
  stillOpens(headers: IncomingHttpHeaders, scope: Scope): Promise<boolean>;
  /** false while the store cannot be asked and only keys seen before go on. */
  healthy(): boolean;
}

const MAX_KEY_LENGTH = 512;
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="tidewatch"' };

/** What holding a scope opens besides itself. */
const OPENED_BY: Record<Scope, readonly Scope[]> = {
  ingest: ['ingest', 'admin'],
  read: ['read', 'write', 'admin'],
  write: ['write', 'admin'],
  admin: ['admin'],
  operator: ['operator'],
};

/** The key of the request behind this response; only after `authenticate`. */
export function keyOf(response: Response): KeyRecord {
  const key = response.locals.key as KeyRecord | undefined;
  if (key === undefined) throw new Error('the route does not authenticate');
  return key;
}

/** The text of the key, from X-API-Key or, in its absence, from a bearer token; undefined where there is none. */
export function keyText(headers: IncomingHttpHeaders): string | undefined {
  const direct = headers['x-api-key'];
  if (typeof direct === 'string' && direct !== '') return direct;
  const authorization = headers.authorization;
  if (authorization === undefined || authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return authorization.slice(7).trim() || undefined;
}

function presentedKey(headers: IncomingHttpHeaders): string {
  const text = keyText(headers);
  if (text === undefined) throw new ProblemError('key_missing', { headers: CHALLENGE });
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

export function hasScope(key: KeyRecord, scope: Scope): boolean {
  for (const held of OPENED_BY[scope]) if (key.scopes.includes(held)) return true;
  return false;
}

/** Throws the problem that keeps the key from the scope at `now`. */
function judge(key: KeyRecord | null, scope: Scope, now: number): KeyRecord {
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
 * One scheme for all endpoints. Keys are cached by digest: whether any was changed is asked every few seconds, so that
 * a revoked one stops within ten, and those seen before go on for 15 minutes while the store is away.
 */
export function createAuthentication(options: {
  keys: KeySource;
  clock: () => number;
  logger: Logger;
  /** Told of every request that is let in. */
  uses?: Pick<KeyUses, 'note'>;
}): Authentication {
  const cache = createKeyCache(options);
  /** A connection mostly says the same key again; its text is let go of with the connection. */
  const lastOn = new WeakMap<Socket, { text: string; digest: string }>();
  function digestOf({ headers, socket }: Request): string {
    const text = presentedKey(headers);
    const last = lastOn.get(socket);
    if (last?.text === text) return last.digest;
    const digest = keyDigest(text);
    lastOn.set(socket, { text, digest });
    return digest;
  }
  const refusals = createRefusalLimit(options.clock);
  return {
    healthy: cache.healthy,
    async stillOpens(headers, scope) {
      try {
        const digest = keyDigest(presentedKey(headers));
        const known = cache.fresh(digest);
        judge(known === undefined ? await cache.find(digest) : known, scope, options.clock());
        return true;
      } catch {
        return false;
      }
    },
    authenticate(scope) {
      return (request, response, next) => {
        const refuse = (error: unknown) => {
          const isRefusal = error instanceof ProblemError && error.status === 401;
          next(isRefusal ? refusals.answerTo(error, request.ip) : error);
        };
        const admit = (key: KeyRecord | null) => {
          const admitted = judge(key, scope, options.clock());
          response.locals.key = admitted;
          options.uses?.note(admitted);
          if (request.headers.expect !== undefined) response.writeContinue();
          next();
        };
        try {
          const digest = digestOf(request);
          const known = cache.fresh(digest);
          if (known !== undefined) admit(known);
          else cache.find(digest).then(admit).catch(refuse);
        } catch (error) {
          refuse(error);
        }
      };
    },
  };
}
