import { returnPath } from '@tidewatch/contracts/console/return-path';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { SignInMethods } from '@tidewatch/contracts/sessions/single-sign-on';
import type { SINGLE_SIGN_ON_ROUTES } from '@tidewatch/contracts/sessions/single-sign-on-routes';
import { keyText } from '@tidewatch/runtime/auth/authentication';
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { randomNonce, randomPKCECodeVerifier, randomState } from 'openid-client';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { originOf } from '../sessions/cross-site.ts';
import { createSignInLimit, MAX_SIGN_IN_BYTES } from '../sessions/sign-in-limit.ts';
import { type PendingSignOn, SIGN_ON_MS, sealPending } from './pending-sign-on.ts';
import { callbackUrl, signOnCookie } from './sign-on-cookie.ts';
import { signOnProblem } from './sign-on-problem.ts';

/** Max number of sign-ins with the identity provider that one address begins in a minute. */
const MAX_BEGUN = 300;

/** The routes that begin a sign-in with the identity provider. */
export function createSignOnHandlers(options: QueryApiOptions): Handlers<typeof SINGLE_SIGN_ON_ROUTES> {
  const { access, clock, config, secrets, signOn } = options;
  const limitBegun = createSignInLimit(clock, MAX_BEGUN, 'address');

  return {
    async getSignInMethods({ request, response }) {
      access.requireConsole(request);
      const sent = keyText(request.headers);
      if (sent !== undefined)
        await access.identify(sent).catch((error: unknown) => {
          throw access.refuse(error, request.ip);
        });
      const single = signOn === null ? null : { name: signOn.config.name };
      response.json({ key: config.hasKeySignIn, single_sign_on: single } satisfies SignInMethods);
    },

    async beginSignOn(call) {
      const { request, response } = call;
      access.requireConsole(request);
      if (request.headers.expect !== undefined) response.writeContinue();
      const { purpose, to, read_only: readOnly } = await call.body(MAX_SIGN_IN_BYTES);
      if (signOn === null) throw notConfigured();
      requireReturn(request);
      limitBegun(ipKeyGenerator(request.ip ?? ''));
      const key = await access.sessionOf(request);
      if (purpose === 'confirm' && key === null)
        throw access.refuse(new ProblemError('session_ended'), request.ip);
      const exchange = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const pending: PendingSignOn = {
        ...exchange,
        purpose,
        startedAt: clock(),
        to: returnPath(to) as string,
        readOnly,
        session: key && {
          id: key.session.id,
          organizationId: key.organizationId,
          key: { id: key.id, name: key.name },
        },
      };
      const redirectUri = callbackUrl(options, request);
      const url = await signOn.provider
        .authorizationUrl({ ...exchange, redirectUri }, { isNewLogin: purpose === 'confirm' })
        .catch((error: unknown) => {
          throw signOnProblem(error);
        });
      const cookie = await signOnCookie(access, request);
      response.cookie(cookie.name, sealPending(secrets, pending), { ...cookie.options, maxAge: SIGN_ON_MS });
      response.json({ url });
    },
  };

  /** The provider sends the browser back to one address, where it must have the cookie of this sign-in. */
  function requireReturn(request: Request): void {
    const { publicUrl } = config;
    const origin = request.get('Origin');
    if (publicUrl === null || origin === undefined || origin === originOf(publicUrl)) return;
    throw new ProblemError('cross_site', {
      detail: `The identity provider sends browsers back to ${publicUrl}. Open Tidewatch at that address.`,
    });
  }
}

function notConfigured(): ProblemError {
  return new ProblemError('not_found', {
    detail: 'Single sign-on is not configured here. TIDEWATCH_OIDC_ISSUER and other settings do that.',
  });
}
