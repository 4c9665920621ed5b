import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import type { Request, RequestHandler, Response } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
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

/** The state of the key's window, which the limiter sets on the request. */
interface Window {
  limit: number;
  remaining: number;
  resetTime?: Date;
}

function windowOf(request: Request): Window | undefined {
  return (request as unknown as { rateLimit?: Window }).rateLimit;
}

function secondsLeft({ resetTime }: Window): number {
  const left = resetTime === undefined ? WINDOW_MS : resetTime.getTime() - Date.now();
  return Math.max(0, Math.ceil(left / 1_000));
}

/** The 429 for a key that has used up its quota, with the name of the limit and the end of the window. */
function refusal(window: Window, policy: RequestPolicy): ProblemError {
  const { limit, resetTime } = window;
  const ends = resetTime === undefined ? '' : ` until ${resetTime.toISOString()}`;
  const detail = `The key has used up its ${limit} requests a minute of the limit "${policy}"${ends}.`;
  return new ProblemError('rate_limited', {
    detail,
    headers: { 'Retry-After': String(secondsLeft(window)) },
  });
}

/** Middleware behind `authenticate`: counts requests of each key in a minute and sets the RateLimit headers (draft 8). */
export function limitRequests({ policy, perMinute, store }: RequestLimitOptions): RequestHandler {
  const policyFields = new WeakMap<KeyRecord, string>();
  /** The field RateLimit-Policy of a key, which is the same for all of its requests. */
  function policyFieldOf(key: KeyRecord, quota: number): string {
    let field = policyFields.get(key);
    if (field === undefined) {
      const windowSeconds = WINDOW_MS / 1_000;
      field = policyField({ policy, quota, windowSeconds, partition: partitionKey(key.id) });
      policyFields.set(key, field);
    }
    return field;
  }
  function setHeaders(response: Response, window: Window): void {
    const { limit, remaining } = window;
    response.setHeader('RateLimit', limitField({ policy, remaining, resetSeconds: secondsLeft(window) }));
    response.setHeader('RateLimit-Policy', policyFieldOf(keyOf(response), limit));
  }
  const limit = rateLimit({
    windowMs: WINDOW_MS,
    // The library hashes the key for each request; see docs/decisions/0012.
    standardHeaders: false,
    legacyHeaders: false,
    validate: false,
    keyGenerator: (_request, response) => keyOf(response).id,
    limit: (_request, response) => keyOf(response).rateLimitPerMinute ?? perMinute,
    ...(store && { store }),
    handler: (request, _response, next) => next(refusal(windowOf(request) as Window, policy)),
  });
  return (request, response, next) => {
    limit(request, response, (error?: unknown) => {
      const window = windowOf(request);
      if (window !== undefined && !response.headersSent) setHeaders(response, window);
      next(error);
    });
  };
}

/**
 * Returns a function that counts a request which no middleware handles. It rejects with the 429 of a key that has used up its quota.
 * `store` is that of `limitRequests`, so that both count together.
 */
export function countRequests(
  options: RequestLimitOptions & { store: Store },
): (key: KeyRecord) => Promise<void> {
  const { policy, perMinute, store } = options;
  return async ({ id, rateLimitPerMinute }) => {
    const limit = rateLimitPerMinute ?? perMinute;
    const { totalHits, resetTime } = await store.increment(id);
    if (totalHits > limit) throw refusal({ limit, remaining: 0, ...(resetTime && { resetTime }) }, policy);
  };
}

/** Middleware that authenticates, then limits, for every route that needs a key. */
export function withLimit(
  authenticate: Authentication['authenticate'],
  limit: RequestHandler,
): Authentication['authenticate'] {
  return (scope, textOf) => {
    const admit = authenticate(scope, textOf);
    return (request, response, next) => {
      admit(request, response, (error?: unknown) => {
        if (error === undefined) limit(request, response, next);
        else next(error);
      });
    };
  };
}
