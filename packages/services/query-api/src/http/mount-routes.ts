import type { Route } from '@tidewatch/contracts/document/route';
import { ROUTES } from '@tidewatch/contracts/document/routes';
import type { Authentication } from '@tidewatch/runtime/auth/authentication';
import { expressPath } from '@tidewatch/runtime/http/express-path';
import type { Request, Response, Router } from 'express';
import { Call } from './call.ts';

/** Answers a call. An answer without content is ended by itself. */
export type Handler<R extends Route = Route> = (call: Call<R>) => unknown;

/** Handlers by `operationId` of the contract; each gets what its route takes. */
export type Handlers<Routes extends readonly Route[]> = {
  readonly [R in Routes[number] as R['operationId']]: Handler<R>;
};

/** The handler of one of these routes. */
export type HandlerOf<Routes extends readonly Route[], Id extends Routes[number]['operationId']> = Handler<
  Extract<Routes[number], { operationId: Id }>
>;

const PATHS = new Map(ROUTES.map(({ operationId, path }) => [operationId, path]));

/**
 * Adds routes of the contract, which states their methods, paths, scopes and the status of their success. Throws where a
 * route has no handler, or a handler no route.
 */
export function mountRoutes(
  router: Router,
  authenticate: Authentication['authenticate'],
  routes: readonly Route[],
  handlers: Readonly<Record<string, unknown>>,
): void {
  const operations = routes.map(({ operationId }) => operationId);
  const unhandled = operations.filter((operation) => !Object.hasOwn(handlers, operation));
  if (unhandled.length > 0) throw new Error(`routes without a handler: ${unhandled.join(', ')}`);
  const unknown = Object.keys(handlers).filter((operation) => !operations.includes(operation));
  if (unknown.length > 0) throw new Error(`handlers without a route: ${unknown.join(', ')}`);
  for (const route of literalPathsFirst(routes)) {
    const handler = handlers[route.operationId] as Handler;
    const status = route.answers[0]?.status ?? 200;
    const guards = route.scope === null ? [] : [authenticate(route.scope)];
    router[route.method](expressPath(route.path), ...guards, async (request: Request, response: Response) => {
      response.statusCode = status;
      await handler(new Call(route, request, response));
      if (status === 204) response.end();
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
