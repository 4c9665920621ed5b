import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import type { RequestHandler, Response } from 'express';
import { type IncrementResponse, MemoryStore, type Options, type Store } from 'express-rate-limit';
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

/** The state of a key's window. */
interface Window {
  limit: number;
  remaining: number;
  resetTime?: Date;
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

/** The window of a key after a request was counted; `totalHits` are its requests of the window. */
function windowAfter({ totalHits, resetTime }: IncrementResponse, limit: number): Window {
  return { limit, remaining: Math.max(0, limit - totalHits), ...(resetTime && { resetTime }) };
}

/**
 * Middleware behind `authenticate`: counts requests of each key in a minute and sets the RateLimit headers (draft 8). Counts in a store of
 * express-rate-limit, whose own middleware waits for six promises for each request.
 */
export function limitRequests({ policy, perMinute, store }: RequestLimitOptions): RequestHandler {
  const counts = store ?? new MemoryStore();
  counts.init?.({ windowMs: WINDOW_MS } as Options);
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
  /** Sets the headers; throws the 429 of a key that has used up its quota. */
  async function count(response: Response): Promise<void> {
    const key = keyOf(response);
    const limit = key.rateLimitPerMinute ?? perMinute;
    const counted = await counts.increment(key.id);
    const window = windowAfter(counted, limit);
    if (!response.headersSent) {
      const { remaining } = window;
      response.setHeader('RateLimit', limitField({ policy, remaining, resetSeconds: secondsLeft(window) }));
      response.setHeader('RateLimit-Policy', policyFieldOf(key, limit));
    }
    if (counted.totalHits > limit) throw refusal(window, policy);
  }
  return (_request, response, next) => {
    count(response).then(() => next(), next);
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
    const counted = await store.increment(id);
    if (counted.totalHits > limit) throw refusal(windowAfter(counted, limit), policy);
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
