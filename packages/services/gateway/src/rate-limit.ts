import { ProblemError } from '@tidewatch/contracts/problem';
import { keyOf } from '@tidewatch/runtime/authentication';
import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';

/** Requests of each key in a minute, told by the RateLimit headers (draft 8); a key may carry a limit of its own. */
export function limitRate(defaultPerMinute: number): RequestHandler {
  return rateLimit({
    windowMs: 60_000,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: 'ingest',
    validate: false,
    keyGenerator: (_request, response) => keyOf(response).id,
    limit: (_request, response) => keyOf(response).rateLimitPerMinute ?? defaultPerMinute,
    handler: (_request, _response, next) => next(new ProblemError('rate_limited')),
  });
}
