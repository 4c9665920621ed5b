import { INSTALLATION, inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import type { Endpoint } from '@tidewatch/runtime/http/allowed-methods';
import type { ServiceEnvironment, ServicePart } from '@tidewatch/runtime/process/backend-service';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { readOrganization } from '@tidewatch/store/organizations/read';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createIdentityProvider } from './identity-provider.ts';
import { readSignOn } from './read-sign-on.ts';
import type { SignOn } from './sign-on.ts';
import { SIGN_ON_ENDPOINT } from './sign-on-callback.ts';
import type { signOnSettings } from './sign-on-settings.ts';

interface SignOnEnvironment
  extends Pick<ServiceEnvironment, 'clock' | 'logger'>,
    Pick<QueryApiOptions, 'sql'> {
  config: ConfigOf<typeof signOnSettings>;
}

/** Opens single sign-on, if it is configured. Throws ConfigError where its settings do not fit together. */
export function openSignOn({ config: settings, clock, sql, logger }: SignOnEnvironment): {
  signOn: SignOn | null;
  endpoints: readonly Endpoint[];
  parts: readonly ServicePart[];
} {
  const config = readSignOn(settings);
  if (config === null) return { signOn: null, endpoints: [], parts: [] };
  const signOn = { config, provider: createIdentityProvider(config, clock) };

  /** Throws StartRefusedError for organizations that do not exist; without the database they are looked up at a sign-in. */
  async function checkOrganizations(): Promise<void> {
    const ids = new Set(config?.mapping.groups.flatMap(({ organization }) => organization ?? []));
    const unknown: string[] = [];
    try {
      await inOrganization(INSTALLATION, async () => {
        for (const id of ids) if ((await readOrganization(sql, id)) === null) unknown.push(id);
      });
    } catch (error) {
      logger.debug({ err: error }, 'the organizations of the file of groups were not checked');
    }
    if (unknown.length > 0)
      throw new StartRefusedError(
        `TIDEWATCH_OIDC_GROUPS_FILE: names organizations that do not exist: ${unknown.join(', ')}. "tidewatch org list" shows their ids.`,
      );
  }

  return {
    signOn,
    endpoints: [SIGN_ON_ENDPOINT],
    parts: [{ name: 'single sign-on', starts: 'before the bus', start: checkOrganizations }],
  };
}
