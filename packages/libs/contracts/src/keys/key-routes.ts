import { answered, json } from '../document/answers.ts';
import {
  defineRoutes,
  idParameter,
  linksById,
  locationHeader,
  PROBLEMS_OF_BODIES,
} from '../document/route.ts';
import {
  createdKeySchema,
  keyDetailSchema,
  keyInputSchema,
  keyRotationSchema,
  keysPageSchema,
  keysQuerySchema,
  rotatedKeySchema,
} from './key.ts';

/** The routes of API keys; the secret of a key is shown only in the response that creates it. */
export const KEY_ROUTES = defineRoutes('Keys', [
  {
    operationId: 'listKeys',
    method: 'get',
    path: '/api/v1/keys',
    summary: 'List keys',
    scope: 'admin',
    query: keysQuerySchema,
    answers: [{ status: 200, description: 'A page of keys.', content: json(keysPageSchema) }],
    problems: ['validation_failed'],
  },
  {
    operationId: 'createKey',
    method: 'post',
    path: '/api/v1/keys',
    summary: 'Create a key',
    description:
      'The secret is in this answer alone; only its digest is stored. A key cannot make one that may do more than itself: bounds that are not given are its own, wider ones are refused.',
    scope: 'admin',
    body: [
      json(keyInputSchema, {
        agents: {
          summary: 'For agents of some hosts',
          value: { name: 'agents in eu-1', scopes: ['ingest'], hosts: ['web-*'] },
        },
      }),
    ],
    answers: [
      {
        status: 201,
        description: 'The key with its secret.',
        content: json(createdKeySchema),
        headers: locationHeader('/api/v1/keys/key_0197f3a1c0de7b3c9a51d2e4f6a80b1c'),
        links: linksById('getKey', 'rotateKey', 'revokeKey'),
      },
    ],
    problems: PROBLEMS_OF_BODIES,
  },
  {
    operationId: 'getKey',
    method: 'get',
    path: '/api/v1/keys/{id}',
    summary: 'Read a key',
    scope: 'admin',
    parameters: idParameter('key', 'key'),
    answers: [answered('The key and the hosts that used it.', keyDetailSchema)],
    problems: ['not_found'],
  },
  {
    operationId: 'rotateKey',
    method: 'post',
    path: '/api/v1/keys/{id}/rotate',
    summary: 'Rotate a key',
    description:
      'Makes a key with the same name, scopes, limits and hosts. Both work until the grace is over, and the former one at ' +
      'most ten seconds longer; the end of the grace becomes its `expires_at`. Where that one had an end, the new one gets the same span from now on.',
    scope: 'admin',
    parameters: idParameter('key', 'key'),
    body: [json(keyRotationSchema)],
    bodyIsOptional: true,
    answers: [
      {
        status: 201,
        description: 'The new key with its secret.',
        content: json(rotatedKeySchema),
        headers: locationHeader('/api/v1/keys/key_0197f3a1c0de7b3c9a51d2e4f6a80b1c'),
        links: { ...linksById('getKey', 'rotateKey'), revokeKey: '/replaces' },
      },
    ],
    problems: [...PROBLEMS_OF_BODIES, 'not_found', 'conflict'],
  },
  {
    operationId: 'revokeKey',
    method: 'delete',
    path: '/api/v1/keys/{id}',
    summary: 'Revoke a key',
    description:
      'It stops within ten seconds in every process that can reach the database. An operator key is revoked by operator keys alone.',
    scope: 'admin',
    parameters: idParameter('key', 'key'),
    answers: [{ status: 204, description: 'The key is revoked.' }],
    problems: ['not_found', 'last_admin_key'],
  },
]);
