import { readFileSync, statSync } from 'node:fs';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { parse } from 'yaml';
import { type GroupMapping, groupMappingSchema } from './group-mapping.ts';
import type { signOnSettings } from './sign-on-settings.ts';

/** Max size of the file of groups, bytes. */
const MAX_FILE_BYTES = 1_048_576;
const MAX_FAULTS = 20;

/** Single sign-on as it is configured. */
export interface SignOnConfig {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  scopes: string;
  groupsClaim: string;
  mapping: GroupMapping;
  /** What users call the provider. */
  name: string;
}

type Config = ConfigOf<typeof signOnSettings>;

/** The settings of single sign-on, with the file of groups; null where none is set. Throws ConfigError, which names every fault. */
export function readSignOn(config: Config): SignOnConfig | null {
  const needed = {
    TIDEWATCH_OIDC_ISSUER: config.oidcIssuer,
    TIDEWATCH_OIDC_CLIENT_ID: config.oidcClientId,
    TIDEWATCH_OIDC_CLIENT_SECRET: config.oidcClientSecret,
    TIDEWATCH_OIDC_GROUPS_FILE: config.oidcGroupsFile,
  };
  const names = Object.keys(needed);
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === names.length) {
    if (config.hasKeySignIn) return null;
    throw unusable(['TIDEWATCH_KEY_SIGN_IN: is off, and without single sign-on nobody could sign in']);
  }
  const faults = missing.map((name) => `${name}: is missing; single sign-on needs ${names.join(', ')}`);
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcGroupsFile } = config;
  const mapping = oidcGroupsFile === undefined ? undefined : readMapping(oidcGroupsFile, faults);
  if (
    faults.length > 0 ||
    mapping === undefined ||
    oidcIssuer === undefined ||
    oidcClientId === undefined ||
    oidcClientSecret === undefined
  )
    throw unusable(faults);
  return {
    issuer: new URL(oidcIssuer),
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    scopes: config.oidcScopes,
    groupsClaim: config.oidcGroupsClaim,
    mapping,
    name: config.oidcName,
  };
}

function readMapping(file: string, faults: string[]): GroupMapping | undefined {
  const fault = (what: string): undefined => {
    faults.push(`TIDEWATCH_OIDC_GROUPS_FILE: ${file}: ${what}`);
  };
  let value: unknown;
  try {
    if (statSync(file).size > MAX_FILE_BYTES) return fault(`must have at most ${MAX_FILE_BYTES} bytes`);
    value = parse(readFileSync(file, 'utf8'), { maxAliasCount: 0 });
  } catch (error) {
    const { code, errno, message } = error as NodeJS.ErrnoException;
    if (errno !== undefined) return fault(`${code}, cannot be read`);
    return fault(`is neither YAML nor JSON: ${message.split('\n')[0]}`);
  }
  const checked = groupMappingSchema.safeParse(value);
  if (checked.success) return checked.data;
  for (const { path, message } of checked.error.issues.slice(0, MAX_FAULTS))
    fault(`/${path.join('/')}: ${message}`);
  return undefined;
}

function unusable(faults: readonly string[]): ConfigError {
  return new ConfigError(`The settings are not usable:\n  ${faults.join('\n  ')}`);
}
