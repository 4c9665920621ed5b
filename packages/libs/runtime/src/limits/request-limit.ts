import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import type { RequestHandler, Response } from 'express';
import { MemoryStore, type Options, type Store } from 'express-rate-limit';
import { type Authentication, keyOf } from '../auth/authentication.ts';
import { limitField, partitionKey, policyField } from './limit-headers.ts';

/** The kinds of requests that are counted separately: ingest, and other requests that need a key. */
export type RequestPolicy = 'ingest' | 'api';

export interface RequestLimitOptions {
  /** The name of the limit in the RateLimit headers. */
  policy: RequestPolicy;
  /** Requests of a key in a minute, unless the key has a limit of its own. */
  perMinute: number;
  /** The store that counts requests; by default the memory of this process. */
  store?: Store | undefined;
}

const WINDOW_MS = MINUTE_MS;

function secondsLeft(resetTime: Date | undefined): number {
  const left = resetTime === undefined ? WINDOW_MS : resetTime.getTime() - Date.now();
  return Math.max(0, Math.ceil(left / 1_000));
}

/** The 429 for a key that has used up its quota, with the name of the limit and the end of the window. */
function refusal(policy: RequestPolicy, quota: number, resetTime: Date | undefined): ProblemError {
  const ends = resetTime === undefined ? '' : ` until ${resetTime.toISOString()}`;
  const detail = `The key has used up its ${quota} requests a minute of the limit "${policy}"${ends}.`;
  return new ProblemError('rate_limited', {
    detail,
    headers: { 'Retry-After': String(secondsLeft(resetTime)) },
  });
}

/** The quota of a key, and the header that describes it. */
interface Quota {
  perMinute: number;
  policyHeader: string;
}

/**
 * Middleware behind `authenticate`: counts requests of each key in a minute and sets the RateLimit headers (draft 8). Uses the
 * stores of express-rate-limit without its middleware, see docs/decisions/0116.
 */
export function limitRequests({
  policy,
  perMinute,
  store = new MemoryStore(),
}: RequestLimitOptions): RequestHandler {
  // Stores read no other option.
  void store.init?.({ windowMs: WINDOW_MS } as Options);
  const quotas = new WeakMap<KeyRecord, Quota>();
  function quotaOf(key: KeyRecord): Quota {
    let known = quotas.get(key);
    if (known === undefined) {
      const quota = key.rateLimitPerMinute ?? perMinute;
      const windowSeconds = WINDOW_MS / 1_000;
      const partition = partitionKey(key.id);
      known = { perMinute: quota, policyHeader: policyField({ policy, quota, windowSeconds, partition }) };
      quotas.set(key, known);
    }
    return known;
  }
  /** Counts a request; returns its refusal where the key has used its quota up. */
  async function count(response: Response): Promise<ProblemError | undefined> {
    const key = keyOf(response);
    const { totalHits, resetTime } = await store.increment(key.id);
    const { perMinute: quota, policyHeader } = quotaOf(key);
    if (!response.headersSent) {
      const remaining = Math.max(quota - totalHits, 0);
      response.setHeader(
        'RateLimit',
        limitField({ policy, remaining, resetSeconds: secondsLeft(resetTime) }),
      );
      response.setHeader('RateLimit-Policy', policyHeader);
    }
    return totalHits > quota ? refusal(policy, quota, resetTime) : undefined;
  }
  return (_request, response, next) => {
    count(response).then(next, next);
  };
}

/** Middleware that authenticates, then limits, for every route that needs a key. */
export function withLimit(
  authenticate: Authentication['authenticate'],
  limit: RequestHandler,
): Authentication['authenticate'] {
  return (scope) => {
    const admit = authenticate(scope);
    return (request, response, next) => {
      admit(request, response, (error?: unknown) => {
        if (error === undefined) limit(request, response, next);
        else next(error);
      });
    };
  };
}
