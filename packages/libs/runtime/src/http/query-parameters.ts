import type { Route } from '@tidewatch/contracts/document/route';
import { validationProblem } from '@tidewatch/contracts/problems/problem';
import { unknownParameters } from '@tidewatch/contracts/problems/query-names';
import type { Request, RequestHandler } from 'express';
import type { Authentication } from '../auth/authentication.ts';
import { expressPath } from './express-path.ts';

/** Refuses a request with parameters to a route that accepts none, by a 422. Other routes validate theirs by a schema. */
export function createParameterCheck(routes: readonly Route[]): (request: Request) => void {
  const plain = routes.filter(({ query }) => query === undefined);
  const paths = new Set(plain.map(({ method, path }) => `${method} ${expressPath(path)}`));
  return (request) => {
    if (!request.originalUrl.includes('?')) return;
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
    if (!paths.has(`${method} ${String(request.route?.path)}`)) return;
    const faults = unknownParameters(Object.keys(request.query), []);
    if (faults.length > 0) throw validationProblem(faults);
  };
}

/** Middleware that authenticates, then refuses requests with parameters to routes that accept none. */
export function withParameterCheck(
  authenticate: Authentication['authenticate'],
  routes: readonly Route[],
): Authentication['authenticate'] {
  const refuseUnknown = createParameterCheck(routes);
  return (scope): RequestHandler => {
    const admit = authenticate(scope);
    return (request, response, next) => {
      if (!request.originalUrl.includes('?')) return admit(request, response, next);
      admit(request, response, (error?: unknown) => {
        if (error !== undefined) return next(error);
        try {
          refuseUnknown(request);
        } catch (refusal) {
          return next(refusal);
        }
        next();
      });
    };
  };
}
