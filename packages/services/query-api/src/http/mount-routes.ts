import type { Route } from '@tidewatch/contracts/document/route';
import { ROUTES } from '@tidewatch/contracts/document/routes';
import type { Authentication } from '@tidewatch/runtime/auth/authentication';
import { expressPath } from '@tidewatch/runtime/http/express-path';
import { noteServedRequest } from '@tidewatch/store/event-loop/served-requests';
import type { Request, Response, Router } from 'express';
import { Call } from './call.ts';

/** Answers a call. A response without content is ended automatically. */
export type Handler<R extends Route = Route> = (call: Call<R>) => unknown;

/** Handlers by the `operationId` of their routes in the contract, typed by the route. */
export type Handlers<Routes extends readonly Route[]> = {
  readonly [R in Routes[number] as R['operationId']]: Handler<R>;
};

/** The handler type of one of these routes. */
export type HandlerOf<Routes extends readonly Route[], Id extends Routes[number]['operationId']> = Handler<
  Extract<Routes[number], { operationId: Id }>
>;

const PATHS = new Map(ROUTES.map(({ operationId, path }) => [operationId, path]));

/**
 * Adds routes of the contract, which defines their methods, paths, scopes and success status. Throws for a route without a
 * handler, or a handler without a route.
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
      noteServedRequest();
      response.once('finish', noteServedRequest);
      await handler(new Call(route, request, response));
      if (status === 204) response.end();
    });
  }
}

/** The path of the object with this id, for the operation that reads it. */
export function pathOf(operationId: string, id: string): string {
  const path = PATHS.get(operationId);
  if (path === undefined) throw new Error(`the contract has no operation ${operationId}`);
  return path.replace('{id}', id);
}

/** Sorts literal paths first, so that `/alerts/rules` does not match as an alert with the id `rules`. */
function literalPathsFirst(routes: readonly Route[]): readonly Route[] {
  const hasParameter = ({ path }: Route) => path.includes('{');
  return routes.toSorted((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)));
}
