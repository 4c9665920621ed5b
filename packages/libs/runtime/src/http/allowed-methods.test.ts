import express, { type Router } from 'express';
import { expect, it } from 'vitest';
import { allowedMethods, literalPaths } from './allowed-methods.ts';

function routerOf(routes: readonly (readonly ['get' | 'post' | 'delete', string])[]): Router {
  const router = express.Router();
  for (const [method, path] of routes) router[method](path, (_request, response) => void response.end());
  return router;
}

const ROUTES = [
  routerOf([
    ['get', '/rules'],
    ['post', '/rules'],
    ['get', '/rules/:id'],
    ['delete', '/rules/:id'],
  ]),
  routerOf([['post', '/rules/starter']]),
];

it('names the methods of every route that a path fits', () => {
  expect(allowedMethods(ROUTES, '/rules/rul_1')).toEqual(['DELETE', 'GET', 'HEAD']);
  expect(allowedMethods(ROUTES, '/elsewhere')).toEqual([]);
});

it('gives a path that is spelled out its own methods alone', () => {
  expect(Object.fromEntries(literalPaths(ROUTES))).toEqual({
    '/rules': ['GET', 'HEAD', 'POST'],
    '/rules/starter': ['POST'],
  });
});
