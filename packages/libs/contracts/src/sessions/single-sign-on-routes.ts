import { z } from 'zod';
import { answered, json } from '../document/answers.ts';
import { defineRoutes, PROBLEMS_OF_BODIES } from '../document/route.ts';
import { consoleHeaders } from './session-routes.ts';
import { signInMethodsSchema, signOnInputSchema, signOnSchema } from './single-sign-on.ts';

const setCookie = z.string().meta({
  description:
    '`__Host-tidewatch-sign-on-<installation>` over HTTPS, `tidewatch-sign-on-<installation>` over HTTP: HttpOnly, SameSite=Lax, encrypted, for ten minutes.',
  examples: ['tidewatch-sign-on-40718263=Vx3k…; Max-Age=600; Path=/; HttpOnly; SameSite=Lax'],
  header: { id: 'Set-Cookie' },
});

/** Signing in with an identity provider, by OpenID Connect. The provider's answer comes to a page, which is no part of the API. */
export const SINGLE_SIGN_ON_ROUTES = defineRoutes('Sessions', [
  {
    operationId: 'getSignInMethods',
    method: 'get',
    path: '/api/v1/session/methods',
    summary: 'Read how people sign in',
    description: 'What the sign-in of the console offers. Needs no key; a key that is sent has to be valid.',
    scope: null,
    headers: consoleHeaders,
    answers: [answered('The ways to sign in.', signInMethodsSchema)],
    problems: [
      'cross_site',
      'key_invalid',
      'key_expired',
      'key_revoked',
      'too_many_refusals',
      'database_unavailable',
    ],
  },
  {
    operationId: 'beginSignOn',
    method: 'post',
    path: '/api/v1/session/sign-on',
    summary: 'Sign in with the identity provider',
    description:
      'Begins a sign-in, or the confirmation of a session, by the authorization code flow of OpenID Connect. The browser opens `url`, and comes back within ten minutes.',
    scope: null,
    headers: consoleHeaders,
    body: [json(signOnInputSchema)],
    answers: [
      {
        status: 200,
        description: 'Where the sign-in goes on.',
        content: json(signOnSchema),
        headers: z.object({ 'Set-Cookie': setCookie }),
      },
    ],
    problems: [
      ...PROBLEMS_OF_BODIES,
      'not_found',
      'cross_site',
      'session_ended',
      'too_many_refusals',
      'rate_limited',
      'identity_provider_unavailable',
      'database_unavailable',
    ],
  },
]);
