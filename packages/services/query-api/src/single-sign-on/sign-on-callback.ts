import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { PROBLEMS } from '@tidewatch/contracts/problems/problem-codes';
import { SIGN_ON_CALLBACK_PATH } from '@tidewatch/contracts/sessions/single-sign-on';
import type { Endpoint } from '@tidewatch/runtime/http/allowed-methods';
import { requestId } from '@tidewatch/runtime/http/problem-response';
import type { Request, Response, Router } from 'express';
import { LRUCache } from 'lru-cache';
import { pageHeaders } from '../console/headers.ts';
import { translateDatabaseFailure } from '../http/database-failure.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { readCookie } from '../sessions/session-cookie.ts';
import { createSessionMetrics } from '../sessions/session-metrics.ts';
import { createSignOnCompletion } from './complete-sign-on.ts';
import { openPending, type PendingSignOn } from './pending-sign-on.ts';
import type { SignOn } from './sign-on.ts';
import { callbackUrl, signOnCookie } from './sign-on-cookie.ts';
import { failedSignOnPage, SIGN_ON_PAGE_POLICY } from './sign-on-page.ts';
import { signOnProblem } from './sign-on-problem.ts';

/** The endpoint that `addSignOnCallback` adds: a page for browsers, which is no part of the API. */
export const SIGN_ON_ENDPOINT: Endpoint = { method: 'get', path: SIGN_ON_CALLBACK_PATH };

/** How many sign-ins that were completed are remembered, so that none is completed twice. */
const MAX_COMPLETED = 10_000;

/**
 * Adds the page to which the identity provider sends browsers: it completes the sign-in and opens the page that was asked for, or says
 * why not.
 */
export function addSignOnCallback(router: Router, options: QueryApiOptions, signOn: SignOn): void {
  const { access, clock, secrets, metrics, logger } = options;
  const counted = createSessionMetrics(metrics);
  const complete = createSignOnCompletion(options, signOn);
  const completed = new LRUCache<string, true>({ max: MAX_COMPLETED });

  /** The sign-in that this browser has begun and whose state the provider returned. Its cookie is deleted: it is used once. */
  async function takePending(request: Request, response: Response, query: URLSearchParams) {
    const { name, options: cookieOptions } = await signOnCookie(access, request);
    const cookie = readCookie(request.headers.cookie, name);
    const pending = cookie === undefined ? null : openPending(secrets, cookie, clock());
    if (pending === null || query.get('state') !== pending.state || completed.has(pending.state))
      throw new ProblemError('sign_on_expired');
    completed.set(pending.state, true);
    response.clearCookie(name, cookieOptions);
    return pending;
  }

  router.get(SIGN_ON_CALLBACK_PATH, async (request: Request, response: Response) => {
    response.set('Referrer-Policy', 'no-referrer');
    let pending: PendingSignOn | undefined;
    try {
      const query = new URL(request.originalUrl, 'http://callback.invalid').searchParams;
      pending = await takePending(request, response, query);
      await complete(request, response, { pending, query, redirectUri: callbackUrl(options, request) });
      counted.signIn('signed_in');
      response.redirect(303, pending.to);
    } catch (error) {
      const problem = access.refuse(signOnProblem(translateDatabaseFailure(error)), request.ip);
      if (!(problem instanceof ProblemError)) throw problem;
      counted.signIn(problem.code);
      note(problem);
      if (request.accepts(['application/problem+json', 'text/html']) !== 'text/html') throw problem;
      response.set({ ...problem.headers, ...pageHeaders(request.secure, SIGN_ON_PAGE_POLICY) });
      response.status(PROBLEMS[problem.code].status).type('html');
      response.send(failedSignOnPage(problem, pending?.to, requestId(response)));
    }
  });

  function note({ code, detail, cause }: ProblemError): void {
    const { message: reason } = (cause ?? {}) as Partial<Error>;
    if (code === 'identity_provider_unavailable')
      logger.warn({ detail, reason }, 'the identity provider does not work; nobody can sign in with it');
    else logger.info({ code, detail, reason }, 'a sign-in with the identity provider was refused');
  }
}
