import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { ProviderCallError } from './bounded-fetch.ts';

/** Codes of openid-client for responses that a provider which works does not give. */
const UNUSABLE = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
];
/** Errors of OAuth by which a provider refuses the client id or its secret. */
const CLIENT_REFUSED = ['invalid_client', 'unauthorized_client'];
/** Errors of OAuth by which a provider says that it does not work. */
const FAILING = ['server_error', 'temporarily_unavailable'];
/** The error of OAuth for a code that has expired, was used, or belongs to another sign-in. */
const CODE_REFUSED = 'invalid_grant';
const RETRY_AFTER = { 'Retry-After': '5' };

/**
 * The problem of a failure at the identity provider: 401 where it refused the user or its response does not belong to the sign-in, 503 where
 * it does not work. Nothing that the provider wrote is repeated but the code of its error. Other errors are returned as they are.
 */
export function signOnProblem(error: unknown): unknown {
  if (error instanceof ProblemError) return error;
  const call = callError(error);
  if (call !== undefined) return unavailable(`It cannot be reached: ${call.message}.`, error);
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const said = /^[\w.-]{1,64}$/.test(error.error) ? error.error : 'an error';
    if (CLIENT_REFUSED.includes(error.error))
      return unavailable(
        `It refuses the client id or secret of Tidewatch (${said}), which an operator has to correct.`,
        error,
      );
    if (FAILING.includes(error.error) || (error instanceof ResponseBodyError && error.status >= 500))
      return unavailable(`It answered ${said}.`, error);
    if (error.error === CODE_REFUSED)
      return refused(`The identity provider no longer takes the code of this sign-in (${said}).`, error);
    return refused(`The identity provider refused the sign-in (${said}).`, error);
  }
  if (!(error instanceof ClientError)) return error;
  if (UNUSABLE.includes(error.code ?? '')) return unavailable('Its response cannot be used.', error);
  return refused(
    'The response of the identity provider does not belong to this sign-in, or is not signed as it must be.',
    error,
  );
}

/** The failed request behind an error of openid-client. */
function callError(error: unknown): ProviderCallError | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof ProviderCallError) return each;
  return undefined;
}

function unavailable(detail: string, cause: unknown): ProblemError {
  return new ProblemError('identity_provider_unavailable', {
    detail: `The identity provider does not work at the moment. ${detail}`,
    headers: RETRY_AFTER,
    cause,
  });
}

function refused(detail: string, cause: unknown): ProblemError {
  return new ProblemError('sign_on_refused', { detail, cause });
}
