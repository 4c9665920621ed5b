import { newId } from '@tidewatch/contracts/values/id';
import { type KeyAccess, keyReasons } from '@tidewatch/runtime/auth/key-access';
import type { SharedLimit } from '@tidewatch/runtime/limits/shared-limit';
import type { BackendService, ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { consoleUrl } from '@tidewatch/runtime/settings/console-settings';
import { readOrganizationLimits } from '@tidewatch/runtime/settings/organization-limit-settings';
import { retentionMs } from '@tidewatch/runtime/settings/retention-settings';
import { secretKeyProbe } from '@tidewatch/store/channels/secret-key-probe';
import type { queryApiSettings } from './config.ts';
import { openConsole } from './console/console.ts';
import { createEventHub } from './events/event-hub.ts';
import type { DatabaseShares } from './http/database-share.ts';
import { MCP_ENDPOINTS } from './mcp/mcp-route.ts';
import { createQueryApi, QUERY_API_ENDPOINTS } from './query-api.ts';
import type { QueryApiOptions } from './query-api-options.ts';
import { createSessions } from './sessions/sessions.ts';
import { openSignOn } from './single-sign-on/open-sign-on.ts';

export interface QueryApiEnvironment
  extends ServiceEnvironment,
    Pick<QueryApiOptions, 'sql' | 'secrets' | 'sender' | 'samples'> {
  /** Divides the database connections of `sql` between organizations. */
  shares: DatabaseShares;
  keys: KeyAccess;
  /** Counts requests, alone or with other processes. */
  limit: Pick<SharedLimit, 'store' | 'reasons'>;
  config: ConfigOf<typeof queryApiSettings>;
  /** Whether a new organization begins with the starter set of rules. */
  starterRules: boolean;
  /** Whether all services are in this process, or each has its own. */
  topology: 'embedded' | 'distributed';
}

/**
 * Opens the query API, which serves all reads and all changes by users over HTTP. Throws ConfigError where the settings of single sign-on
 * do not fit together.
 */
export function openQueryApi(environment: QueryApiEnvironment): BackendService {
  const { sql, keys, limit, secrets, shares, metrics, config } = environment;
  const { healthy } = keys.authentication;
  shares.expose(metrics);
  const events = createEventHub({ ...environment, random: Math.random });
  const sessions = createSessions(environment);
  const signOn = openSignOn(environment);
  const console = openConsole(config, environment.logger);
  const router = createQueryApi({
    ...environment,
    access: sessions.access,
    signOn: signOn.signOn,
    console,
    newId,
    events,
    limitStore: limit.store,
    config: {
      retention: retentionMs(config),
      publicUrl: config.publicUrl ?? null,
      consoleUrl: consoleUrl(config),
      rateLimitPerMinute: config.rateLimitPerMinute,
      samplesPerMinute: config.samplesPerMinute ?? null,
      seriesLimit: config.seriesLimit,
      hostPartsLimit: config.hostPartsLimit,
      hostPartSeriesLimit: config.hostPartSeriesLimit,
      starterRules: environment.starterRules,
      allowPrivateDestinations: config.allowPrivateDestinations,
      hasMailServer: config.smtpUrl !== undefined,
      limits: readOrganizationLimits(config),
      sessionIdleDays: config.sessionIdleDays,
      sessionConfirmMinutes: config.sessionConfirmMinutes,
      hasKeySignIn: config.hasKeySignIn,
      downloadDirectory: config.downloadDirectory ?? null,
      hasMcp: config.hasMcp,
      topology: environment.topology,
    },
  });
  return {
    // Streams do not end by themselves, so they are ended before the server waits for requests in flight.
    parts: [
      sessions.uses,
      { name: 'event streams', starts: 'after the server', start: events.start, stop: events.stop },
      ...signOn.parts,
      ...console.parts,
    ],
    http: {
      router,
      endpoints: [
        ...QUERY_API_ENDPOINTS,
        ...(config.hasMcp ? MCP_ENDPOINTS : []),
        ...signOn.endpoints,
        ...console.endpoints,
      ],
      ...(console.answerNotFound && { answerNotFound: console.answerNotFound }),
    },
    missing: {},
    degraded: {
      keys: () => keyReasons(healthy()),
      'secret key': secretKeyProbe(sql, secrets),
      limit: () => limit.reasons(),
    },
  };
}
