import type { Route } from '@tidewatch/contracts/document/route';
import { createApp } from '@tidewatch/runtime/http/app';
import { listen } from '@tidewatch/runtime/http/http-server';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import express, { type RequestHandler } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { type Handlers, mountRoutes, pathOf } from './mount-routes.ts';

function routeOf(operationId: string, method: Route['method'], path: string, status: number): Route {
  const answers = [{ status, description: 'It is done.' }];
  return { operationId, method, path, tag: 'Test', summary: 'Test', scope: 'read', answers, problems: [] };
}

const ROUTES: readonly Route[] = [
  routeOf('getThing', 'get', '/things/{id}', 200),
  routeOf('listThings', 'get', '/things/all', 200),
  routeOf('createThing', 'post', '/things', 201),
];

const HANDLERS: Handlers = {
  getThing: (request, response) => response.json({ id: request.params['id'] }),
  listThings: (_request, response) => response.json([]),
  createThing: (_request, response) => response.json({ id: 'new' }),
};

const admit = (scopes: string[] = []) => {
  return (scope: string): RequestHandler => {
    scopes.push(scope);
    return (_request, _response, next) => next();
  };
};

it('answers each route of the contract at its path, with the status of its success', async () => {
  const router = express.Router();
  const scopes: string[] = [];
  mountRoutes(router, admit(scopes), ROUTES, HANDLERS);
  const metrics = createMetrics();
  const app = createApp({ routers: [router], endpoints: ROUTES, logger: createSilentLogger(), metrics });
  const server = await listen({ app, host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.close();
    metrics.close();
  });
  const ask = async (method: string, path: string) => {
    const response = await fetch(server.url + path, { method });
    return [response.status, await response.json()];
  };
  expect(await ask('GET', '/things/x')).toEqual([200, { id: 'x' }]);
  expect(await ask('GET', '/things/all')).toEqual([200, []]);
  expect(await ask('POST', '/things')).toEqual([201, { id: 'new' }]);
  expect(scopes).toEqual(['read', 'read', 'read']);
});

it('refuses to mount a route that no handler answers', () => {
  const { createThing, ...others } = HANDLERS;
  expect(() => mountRoutes(express.Router(), admit(), ROUTES, others)).toThrow(
    'routes without a handler: createThing',
  );
});

it('refuses to mount a handler that answers no route', () => {
  const handlers: Handlers = { ...HANDLERS, renameThing: (_request, response) => response.end() };
  expect(() => mountRoutes(express.Router(), admit(), ROUTES, handlers)).toThrow(
    'handlers without a route: renameThing',
  );
});

it('spells the path of an object as the contract does', () => {
  expect(pathOf('getMarker', 'mrk_1')).toBe('/api/v1/markers/mrk_1');
});
