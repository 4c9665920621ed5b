import type { IdentityProvider } from './identity-provider.ts';
import type { SignOnConfig } from './read-sign-on.ts';

/** The identity provider with which people sign in. */
export interface SignOn {
  config: SignOnConfig;
  provider: IdentityProvider;
}
