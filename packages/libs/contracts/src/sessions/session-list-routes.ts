import { answered, json } from '../document/answers.ts';
import { defineRoutes, idParameter, PROBLEMS_OF_BODIES } from '../document/route.ts';
import { sessionsPageSchema, sessionsQuerySchema } from './session.ts';
import { signInLinkInputSchema, signInLinkSchema } from './sign-in-link.ts';

/** Sessions of a key or an organization, and the links that make them. */
export const SESSION_LIST_ROUTES = defineRoutes('Sessions', [
  {
    operationId: 'listSessions',
    method: 'get',
    path: '/api/v1/sessions',
    summary: 'List sessions',
    description:
      'Open sessions of the key that asks, as far as they may do no more than the request; with `admin`, confirmed where a session asks, those of the organization.',
    scope: 'any',
    query: sessionsQuerySchema,
    answers: [answered('A page of sessions.', sessionsPageSchema)],
    problems: ['validation_failed'],
  },
  {
    operationId: 'endSession',
    method: 'delete',
    path: '/api/v1/sessions/{id}',
    summary: 'End a session',
    description:
      'It ends within ten seconds in every process that can reach the database, its event streams included. Sessions beyond the own ones need `admin`.',
    scope: 'any',
    parameters: idParameter('ses', 'session'),
    answers: [{ status: 204, description: 'The session has ended.' }],
    problems: ['not_found', 'confirmation_needed'],
  },
  {
    operationId: 'createSignInLink',
    method: 'post',
    path: '/api/v1/sign-in-links',
    summary: 'Create a sign-in link',
    description:
      'The link signs in one browser, once, for the key that asks. Takes a key, or a session that is confirmed. It can grant no more scopes than the request has.',
    scope: 'any',
    body: [
      json(signInLinkInputSchema, {
        person: { summary: 'For a phone', value: { name: 'Anna on her phone', scopes: ['write'] } },
        display: {
          summary: 'For a screen on a wall',
          value: { kind: 'display', name: 'Wall in the office', scopes: ['read'] },
        },
      }),
    ],
    answers: [{ status: 201, description: 'The link, shown once.', content: json(signInLinkSchema) }],
    problems: [...PROBLEMS_OF_BODIES, 'confirmation_needed', 'key_sign_in_off', 'limit_reached'],
  },
]);
