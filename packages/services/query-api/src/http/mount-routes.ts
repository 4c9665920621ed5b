import type { Route } from '@tidewatch/contracts/document/route';
import { ROUTES } from '@tidewatch/contracts/document/routes';
import type { Authentication } from '@tidewatch/runtime/auth/authentication';
import { expressPath } from '@tidewatch/runtime/http/express-path';
import type { Request, Response, Router } from 'express';

/** Answers a request, whose response already has the status of the route's success. */
export type Handler = (request: Request, response: Response) => unknown;

/** Handlers by `operationId` of the contract. */
export type Handlers = Readonly<Record<string, Handler>>;

const PATHS = new Map(ROUTES.map(({ operationId, path }) => [operationId, path]));

/**
 * Adds routes of the contract, which states their methods, paths, scopes and the status of their success. Throws where a
 * route has no handler, or a handler no route.
 */
export function mountRoutes(
  router: Router,
  authenticate: Authentication['authenticate'],
  routes: readonly Route[],
  handlers: Handlers,
): void {
  const operations = routes.map(({ operationId }) => operationId);
  const unhandled = operations.filter((operation) => !Object.hasOwn(handlers, operation));
  if (unhandled.length > 0) throw new Error(`routes without a handler: ${unhandled.join(', ')}`);
  const unknown = Object.keys(handlers).filter((operation) => !operations.includes(operation));
  if (unknown.length > 0) throw new Error(`handlers without a route: ${unknown.join(', ')}`);
  for (const { operationId, method, path, scope, answers } of literalPathsFirst(routes)) {
    const handler = handlers[operationId] as Handler;
    const status = answers[0]?.status ?? 200;
    const guards = scope === null ? [] : [authenticate(scope)];
    router[method](expressPath(path), ...guards, (request: Request, response: Response) => {
      response.statusCode = status;
      return handler(request, response);
    });
  }
}

/** The path of the object with this id, of the operation that reads it. */
export function pathOf(operationId: string, id: string): string {
  const path = PATHS.get(operationId);
  if (path === undefined) throw new Error(`the contract has no operation ${operationId}`);
  return path.replace('{id}', id);
}

/** Keeps `/alerts/rules` from matching as an alert whose id is `rules`. */
function literalPathsFirst(routes: readonly Route[]): readonly Route[] {
  const hasParameter = ({ path }: Route) => path.includes('{');
  return routes.toSorted((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)));
}
