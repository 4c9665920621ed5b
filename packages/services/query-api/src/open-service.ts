import { newId } from '@tidewatch/contracts/values/id';
import { createSender } from '@tidewatch/destinations/sender';
import { createAuthentication } from '@tidewatch/runtime/auth/authentication';
import { startKeyUses } from '@tidewatch/runtime/auth/key-uses';
import { createApp } from '@tidewatch/runtime/http/app';
import { listen } from '@tidewatch/runtime/http/http-server';
import type { ReadinessOptions } from '@tidewatch/runtime/http/readiness';
import { openSharedLimit } from '@tidewatch/runtime/limits/shared-limit';
import type { ServiceParts } from '@tidewatch/runtime/process/service-process';
import { retentionMs } from '@tidewatch/runtime/settings/database-settings';
import { readDestinationOptions } from '@tidewatch/runtime/settings/destination-settings';
import { readListening } from '@tidewatch/runtime/settings/http-settings';
import { readOrganizationLimits } from '@tidewatch/runtime/settings/organization-limit-settings';
import { secretKeyProbe } from '@tidewatch/store/channels/secret-key-probe';
import { openStore } from '@tidewatch/store/database/connection';
import { ping } from '@tidewatch/store/database/ping';
import { keySource } from '@tidewatch/store/keys/find';
import { recordKeyUses } from '@tidewatch/store/keys/note-uses';
import { createSecretBox } from '@tidewatch/store/secrets/secret-box';
import type { processSettings } from './config.ts';
import { createEventHub } from './events/event-hub.ts';
import { createDatabaseShares } from './http/database-share.ts';
import { createQueryApi, QUERY_API_ENDPOINTS } from './service.ts';

/** Opens the query API as a process of its own. */
export async function openService(parts: ServiceParts<typeof processSettings>): Promise<ReadinessOptions> {
  const { lifecycle, config, logger, metrics } = parts;
  const clock = Date.now;
  const shares = createDatabaseShares();
  const { sql } = await lifecycle.open(
    'store',
    () =>
      openStore({
        ...{ url: config.databaseUrl, applicationName: 'tidewatch-query-api', max: 10 },
        bindsOrganization: true,
        shareOf: shares.shareOf,
      }),
    (part) => part.close(),
  );
  shares.expose(metrics);
  const uses = await lifecycle.open(
    'uses of keys',
    () => startKeyUses({ write: (noted) => recordKeyUses(sql, noted), clock, logger }),
    (part) => part.stop(),
  );
  const authentication = createAuthentication({ keys: keySource(sql), clock, logger, uses });
  const retention = retentionMs(config);
  const secrets = createSecretBox(config.secretKey);
  const sender = await lifecycle.open(
    'sender',
    () =>
      createSender({
        ...readDestinationOptions(config),
        clock,
        onFault: (error) => logger.error({ err: error }, 'a message could not be built'),
        onUnusableName: ({ message, reason }) => logger.warn({ reason }, message),
      }),
    (part) => part.close(),
  );
  const limit = await lifecycle.open(
    'limit',
    () => openSharedLimit({ url: config.redisUrl, policy: 'api', logger, metrics }),
    (part) => part.close(),
  );
  const { rateLimitPerMinute } = config;
  const { authenticate, stillOpens } = authentication;
  const events = createEventHub({ sql, clock, random: Math.random, metrics, logger });
  const queryApi = createQueryApi({
    ...{ sql, authenticate, stillOpens, clock, newId, metrics, logger },
    ...{ secrets, sender, events, limitStore: limit.store },
    config: {
      ...{ retention, publicUrl: config.publicUrl ?? null, rateLimitPerMinute, starterRules: false },
      allowPrivateDestinations: config.allowPrivateDestinations,
      hasMailServer: config.smtpUrl !== undefined,
      limits: readOrganizationLimits(config),
    },
  });
  const app = createApp({
    routers: [queryApi],
    endpoints: QUERY_API_ENDPOINTS,
    logger,
    metrics,
    trustProxy: config.trustProxy,
  });
  const server = await lifecycle.open(
    'http server',
    () => listen({ app, metrics, ...readListening(config) }),
    (part) => part.close(4_000),
  );
  // After the server, so that it ends before: streams do not end by themselves.
  await lifecycle.open('event streams', events.start, events.stop);
  logger.info({ url: server.url }, 'the API is served');
  return {
    missing: [() => ping(sql)],
    degraded: [
      () => (authentication.healthy() ? [] : ['keys cannot be looked up; those seen before go on']),
      secretKeyProbe(sql, secrets),
      () => limit.reasons(),
    ],
  };
}
