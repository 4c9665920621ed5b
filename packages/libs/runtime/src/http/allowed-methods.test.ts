import { expect, it } from 'vitest';
import { allowedMethods, type Endpoint, literalPaths } from './allowed-methods.ts';

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'get', path: '/rules' },
  { method: 'post', path: '/rules' },
  { method: 'get', path: '/rules/{id}' },
  { method: 'delete', path: '/rules/{id}' },
  { method: 'post', path: '/rules/{id}/test' },
  { method: 'post', path: '/rules/starter' },
];

it('allowedMethods returns the methods of every endpoint that matches a path, with HEAD if GET is one', () => {
  expect(allowedMethods(ENDPOINTS, '/rules/rul_1')).toEqual(['DELETE', 'GET', 'HEAD']);
  expect(allowedMethods(ENDPOINTS, '/rules/rul_1/test')).toEqual(['POST']);
});

it.each(['/elsewhere', '/rules/', '/Rules', '/rules/rul_1/other', '/rules//test'])(
  'allowedMethods returns no method for %s, which matches no endpoint',
  (path) => {
    expect(allowedMethods(ENDPOINTS, path)).toEqual([]);
  },
);

it('literalPaths lists the paths without parameters, each with its own methods only', () => {
  expect(Object.fromEntries(literalPaths(ENDPOINTS))).toEqual({
    '/rules': ['GET', 'HEAD', 'POST'],
    '/rules/starter': ['POST'],
  });
});
