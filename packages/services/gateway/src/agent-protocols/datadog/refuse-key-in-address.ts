import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { RequestHandler } from 'express';

/** Parameters in which agents can send a key. */
const PARAMETERS = ['api_key', 'application_key'];

/** Refuses requests with a key in their address, where proxies write it into their logs. */
export const refuseKeyInAddress: RequestHandler = (request, _response, next) => {
  if (!request.originalUrl.includes('?')) return next();
  const { query } = request;
  const found = PARAMETERS.find((name) => query[name] !== undefined);
  if (found === undefined) return next();
  throw new ProblemError('bad_request', {
    detail: `The address has a key in ${found}, and addresses end up in logs. Send the key in the header DD-API-KEY or X-API-Key, and replace this one.`,
  });
};
