import { ProblemError } from '@tidewatch/contracts/values/problem';
import { keyOf } from '@tidewatch/runtime/authentication';
import type { RequestHandler } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';

/**
 * Requests of each key in a minute, told by the RateLimit headers (draft 8); a key may carry a limit of its own.
 * They are counted in `store`, by default in the memory of this process.
 */
export function limitRate(defaultPerMinute: number, store?: Store): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: 'ingest',
    validate: false,
    keyGenerator: (_request, response) => keyOf(response).id,
    limit: (_request, response) => keyOf(response).rateLimitPerMinute ?? defaultPerMinute,
    ...(store && { store }),
    handler: (_request, _response, next) => next(new ProblemError('rate_limited')),
  });
}
