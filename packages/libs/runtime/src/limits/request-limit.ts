import { ProblemError } from '@tidewatch/contracts/values/problem';
import type { Request, RequestHandler } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import { type Authentication, keyOf } from '../authentication.ts';

/** What is counted apart: requests of ingest, and those of everything else that needs a key. */
export type RequestPolicy = 'ingest' | 'api';

export interface RequestLimitOptions {
  /** The name under which the RateLimit headers tell of it. */
  policy: RequestPolicy;
  /** Requests of a key in a minute, unless it carries a limit of its own. */
  perMinute: number;
  /** Where requests are counted; the memory of this process by default. */
  store?: Store | undefined;
}

const WINDOW_MS = 60_000;

/** The 429 of a key that has used its window up: says which limit, and when the window ends. */
function refusal(request: Request, policy: RequestPolicy): ProblemError {
  const { limit, resetTime } = (request as unknown as { rateLimit: { limit: number; resetTime?: Date } })
    .rateLimit;
  const ends = resetTime === undefined ? '' : ` until ${resetTime.toISOString()}`;
  const detail = `The key has used up its ${limit} requests a minute of the limit "${policy}"${ends}.`;
  return new ProblemError('rate_limited', { detail });
}

/** Middleware behind `authenticate`: requests of each key in a minute, told by the RateLimit headers (draft 8). */
export function limitRequests({ policy, perMinute, store }: RequestLimitOptions): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: policy,
    validate: false,
    keyGenerator: (_request, response) => keyOf(response).id,
    limit: (_request, response) => keyOf(response).rateLimitPerMinute ?? perMinute,
    ...(store && { store }),
    handler: (request, _response, next) => next(refusal(request, policy)),
  });
}

/** `authenticate`, whose admitted requests pass `limit` too: so no route that needs a key is left out. */
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
