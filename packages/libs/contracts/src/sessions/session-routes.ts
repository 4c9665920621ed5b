import { z } from 'zod';
import { answered, json } from '../document/answers.ts';
import { defineRoutes, PROBLEMS_OF_BODIES } from '../document/route.ts';
import {
  CONSOLE_HEADER,
  confirmationSchema,
  identitySchema,
  signedInSchema,
  signInSchema,
} from './session.ts';

const consoleHeader = z.literal('1').meta({
  description: 'Browsers cannot send it from another site. Requests with the cookie of a session need it.',
  examples: ['1'],
  param: { id: CONSOLE_HEADER },
});

/** The header without which nobody signs in. */
export const consoleHeaders = z.object({ [CONSOLE_HEADER]: consoleHeader });

const setCookie = z.string().meta({
  description:
    '`__Host-tidewatch-<installation>` over HTTPS, `tidewatch-<installation>` over HTTP; HttpOnly and SameSite=Strict.',
  examples: ['tidewatch-40718263=0b6c…; Path=/; HttpOnly; SameSite=Strict'],
  header: { id: 'Set-Cookie' },
});

/** Sessions of browsers, which take a cookie in place of a key. */
export const SESSION_ROUTES = defineRoutes('Sessions', [
  {
    operationId: 'signIn',
    method: 'post',
    path: '/api/v1/session',
    summary: 'Sign in',
    description:
      'Exchanges a key or a sign-in link for a session, whose token is in the cookie alone. A session that the browser ' +
      'had before ends. Refused keys and links count against the limit of refused keys of the address.',
    scope: null,
    headers: consoleHeaders,
    body: [json(signInSchema)],
    answers: [
      {
        status: 201,
        description: 'The session.',
        content: json(signedInSchema),
        headers: z.object({ 'Set-Cookie': setCookie }),
      },
    ],
    problems: [
      ...PROBLEMS_OF_BODIES,
      'key_invalid',
      'key_expired',
      'key_revoked',
      'sign_in_link_invalid',
      'sign_in_link_expired',
      'sign_in_link_used',
      'scope_missing',
      'key_sign_in_off',
      'cross_site',
      'too_many_refusals',
      'rate_limited',
      'limit_reached',
      'database_unavailable',
    ],
  },
  {
    operationId: 'getSession',
    method: 'get',
    path: '/api/v1/session',
    summary: 'Read who asks',
    description: 'The session, its key and organization, and what may be done; also for a key.',
    scope: 'any',
    answers: [answered('Who asks.', identitySchema)],
    problems: [],
  },
  {
    operationId: 'confirmSession',
    method: 'post',
    path: '/api/v1/session/confirm',
    summary: 'Confirm a session',
    description:
      'Lets the session use `admin` and `operator` for another time, 60 minutes by default. Takes the key of the session; another one is refused. A user of single sign-on confirms by `POST /api/v1/session/sign-on`.',
    scope: 'any',
    body: [json(confirmationSchema)],
    answers: [answered('Who asks.', identitySchema)],
    problems: [...PROBLEMS_OF_BODIES, 'not_found', 'limit_reached', 'key_sign_in_off'],
  },
  {
    operationId: 'signOut',
    method: 'delete',
    path: '/api/v1/session',
    summary: 'Sign out',
    description: 'Ends the session that asks. For a request with a key there is nothing to end.',
    scope: 'any',
    answers: [{ status: 204, description: 'The session has ended, and the cookie is deleted.' }],
    problems: ['not_found'],
  },
]);
