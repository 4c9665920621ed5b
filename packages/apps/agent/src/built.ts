import manifest from '../package.json' with { type: 'json' };

/** What the build of the executable puts in place of these names; they do not exist in a checkout. */
declare const BUILT_VERSION: string | undefined;
declare const BUILT_UPDATE_KEY: string | undefined;

/** The version of this agent. */
export const VERSION: string = typeof BUILT_VERSION === 'string' ? BUILT_VERSION : manifest.version;

/** The public key (Ed25519, SPKI, DER in base64) that verifies updates; undefined where the build had none. */
export const UPDATE_KEY: string | undefined =
  typeof BUILT_UPDATE_KEY === 'string' ? BUILT_UPDATE_KEY : undefined;
