import { HOUR_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import { CALL_TIMEOUT_MS, createBoundedFetch } from './bounded-fetch.ts';
import { type Claims, type Person, personOf } from './person.ts';
import type { SignOnConfig } from './read-sign-on.ts';

/** How long what the provider says about itself is used, ms. */
const DISCOVERED_MS = HOUR_MS;
/** How long it is not asked again after a request that failed, ms. */
const RETRY_AFTER_MS = 2 * SECOND_MS;

/** What a sign-in sends to the provider and compares its response with. */
export interface Exchange {
  redirectUri: string;
  state: string;
  nonce: string;
  /** The secret whose digest the provider gets first (PKCE). */
  verifier: string;
}

/** The identity provider of the installation. Its methods throw what `signOnProblem` explains. */
export interface IdentityProvider {
  /** The address at which the user signs in; with `isNewLogin` the user has to, whatever session there is at the provider. */
  authorizationUrl(exchange: Exchange, options: { isNewLogin: boolean }): Promise<string>;
  /**
   * Exchanges the code in the query of the provider's redirect for the user, who must have signed in less than `maxAgeSeconds` ago
   * where that is given.
   */
  person(query: URLSearchParams, exchange: Exchange, maxAgeSeconds?: number): Promise<Person>;
}

export function createIdentityProvider(config: SignOnConfig, clock: () => number): IdentityProvider {
  const boundedFetch = createBoundedFetch();
  let known: { until: number; provider: Promise<Configuration> } | undefined;

  /** What the provider says about itself, read once for all who ask. */
  function configuration(): Promise<Configuration> {
    const now = clock();
    if (known !== undefined && now < known.until) return known.provider;
    const asked = { until: now + DISCOVERED_MS, provider: discover(config, boundedFetch) };
    asked.provider.catch(() => {
      asked.until = now + RETRY_AFTER_MS;
    });
    known = asked;
    return asked.provider;
  }

  return {
    async authorizationUrl({ redirectUri, state, nonce, verifier }, { isNewLogin }) {
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: config.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(isNewLogin && { max_age: '0' }),
      });
      return url.href;
    },

    async person(query, { redirectUri, state, nonce, verifier }, maxAgeSeconds) {
      const provider = await configuration();
      const response = new URL(redirectUri);
      response.search = query.toString();
      const tokens = await authorizationCodeGrant(provider, response, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
      });
      const claims = tokens.claims() as Claims;
      // Many providers leave what a scope asks for out of the ID token.
      const isComplete = claims['email'] !== undefined && claims[config.groupsClaim] !== undefined;
      if (isComplete || provider.serverMetadata().userinfo_endpoint === undefined)
        return personOf(claims, config.groupsClaim);
      const info = await fetchUserInfo(provider, tokens.access_token, claims.sub);
      return personOf({ ...info, ...claims }, config.groupsClaim);
    },
  };
}

async function discover(
  { issuer, clientId, clientSecret }: SignOnConfig,
  boundedFetch: ReturnType<typeof createBoundedFetch>,
): Promise<Configuration> {
  const execute = [enableNonRepudiationChecks];
  // Only an issuer on this machine may be reached without TLS; `signOnSettings` holds that.
  if (issuer.protocol === 'http:') execute.push(allowInsecureRequests);
  const authentication: typeof ClientSecretBasic = () => (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const way = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    way(clientSecret)(server, client, body, headers);
  };
  return discovery(issuer, clientId, { client_secret: clientSecret }, authentication(), {
    execute,
    timeout: CALL_TIMEOUT_MS / SECOND_MS,
    [customFetch]: boundedFetch,
  });
}
