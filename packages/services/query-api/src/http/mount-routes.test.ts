import { json } from '@tidewatch/contracts/document/answers';
import { defineRoutes, idParameter, type Route } from '@tidewatch/contracts/document/route';
import { createApp } from '@tidewatch/runtime/http/app';
import { listen } from '@tidewatch/runtime/http/http-server';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import express, { type RequestHandler } from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Handlers, mountRoutes, pathOf } from './mount-routes.ts';

const taking = defineRoutes('Test', [
  {
    ...routeOf('renameThing', 'put', '/things/{id}', 200),
    operationId: 'renameThing',
    parameters: idParameter('mrk', 'thing'),
    query: z.object({ loud: z.enum(['yes', 'no']).default('no') }),
    body: [json(z.strictObject({ name: z.string() }))],
  },
  {
    ...routeOf('deleteThing', 'delete', '/things/{id}', 204),
    operationId: 'deleteThing',
    parameters: idParameter('mrk', 'thing'),
  },
]);
const takers: Handlers<typeof taking> = {
  async renameThing(call) {
    const { id, query } = call;
    const { name } = await call.body();
    call.response.json({ id, name, loud: query.loud });
  },
  deleteThing: ({ id }) => id,
};

function routeOf(operationId: string, method: Route['method'], path: string, status: number): Route {
  const answers = [{ status, description: 'It is done.' }];
  return { operationId, method, path, tag: 'Test', summary: 'Test', scope: 'read', answers, problems: [] };
}

const ROUTES = [
  routeOf('getThing', 'get', '/things/{id}', 200),
  routeOf('listThings', 'get', '/things/all', 200),
  routeOf('createThing', 'post', '/things', 201),
];

const HANDLERS: Handlers<typeof ROUTES> = {
  getThing: ({ request, response }) => response.json({ id: request.params['id'] }),
  listThings: ({ response }) => response.json([]),
  createThing: ({ response }) => response.json({ id: 'new' }),
};

const admit = (scopes: string[] = []) => {
  return (scope: string): RequestHandler => {
    scopes.push(scope);
    return (_request, _response, next) => next();
  };
};

/** Starts a server with these routes and handlers; returns a function that sends requests to it. */
async function askerOf(routes: readonly Route[], handlers: Record<string, unknown>, scopes: string[] = []) {
  const router = express.Router();
  mountRoutes(router, admit(scopes), routes, handlers);
  const metrics = createMetrics();
  const app = createApp({ routers: [router], endpoints: routes, logger: createSilentLogger(), metrics });
  const server = await listen({ app, host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.close();
    metrics.close();
  });
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(server.url + path, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    return [response.status, text === '' ? null : JSON.parse(text)];
  };
}

it('mountRoutes answers each route of the contract at its path, with the status of its success', async () => {
  const scopes: string[] = [];
  const ask = await askerOf(ROUTES, HANDLERS, scopes);
  expect(await ask('GET', '/things/x')).toEqual([200, { id: 'x' }]);
  expect(await ask('GET', '/things/all')).toEqual([200, []]);
  expect(await ask('POST', '/things')).toEqual([201, { id: 'new' }]);
  expect(scopes).toEqual(['read', 'read', 'read']);
});

it('mountRoutes passes id, query and body to a handler as parsed by the schemas of its route', async () => {
  const ask = await askerOf(taking, takers);
  const path = `/things/mrk_${'0'.repeat(32)}`;
  expect(await ask('PUT', path, { name: 'a' })).toEqual([
    200,
    { id: path.slice('/things/'.length), name: 'a', loud: 'no' },
  ]);
  expect(await ask('PUT', '/things/7', { name: 'a' })).toMatchObject([404, { code: 'not_found' }]);
  expect(await ask('PUT', `${path}?loud=very`, { name: 'a' })).toMatchObject([
    422,
    { errors: [{ in: 'query', path: '/loud' }] },
  ]);
  expect(await ask('PUT', path, { name: 7 })).toMatchObject([
    422,
    { errors: [{ in: 'body', path: '/name' }] },
  ]);
});

it('mountRoutes ends the response of a route whose success has no content', async () => {
  const ask = await askerOf(taking, takers);
  expect(await ask('DELETE', `/things/mrk_${'0'.repeat(32)}`)).toEqual([204, null]);
});

it('mountRoutes refuses a route without a handler', () => {
  const { createThing, ...others } = HANDLERS;
  expect(() => mountRoutes(express.Router(), admit(), ROUTES, others)).toThrow(
    'routes without a handler: createThing',
  );
});

it('mountRoutes refuses a handler without a route', () => {
  const handlers = { ...HANDLERS, renameThing: () => undefined };
  expect(() => mountRoutes(express.Router(), admit(), ROUTES, handlers)).toThrow(
    'handlers without a route: renameThing',
  );
});

it('pathOf returns the path of an object as in the contract', () => {
  expect(pathOf('getMarker', 'mrk_1')).toBe('/api/v1/markers/mrk_1');
});
