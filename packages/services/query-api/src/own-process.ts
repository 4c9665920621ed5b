import { openStore } from '@tidewatch/database/connection';
import { ping } from '@tidewatch/database/ping';
import { logFaults } from '@tidewatch/destinations/log-faults';
import { createSender } from '@tidewatch/destinations/sender';
import { openKeyAccess } from '@tidewatch/runtime/auth/key-access';
import { openSampleBuckets } from '@tidewatch/runtime/limits/sample-buckets';
import { openSharedLimit } from '@tidewatch/runtime/limits/shared-limit';
import { environmentOf } from '@tidewatch/runtime/process/backend-service';
import type { OwnProcess, ServiceParts } from '@tidewatch/runtime/process/service-process';
import { readDestinationOptions } from '@tidewatch/runtime/settings/destination-settings';
import { keySource } from '@tidewatch/store/keys/find';
import { recordKeyUses } from '@tidewatch/store/keys/note-uses';
import { createSecretBox } from '@tidewatch/store/secrets/secret-box';
import { createProcessRegistry } from '@tidewatch/store/system/process-registry';
import type { processSettings } from './config.ts';
import { createDatabaseShares } from './http/database-share.ts';
import { openQueryApi } from './open-query-api.ts';

/** The query API as a process of its own: on a database, with limits in Redis. */
export async function openOwnProcess(parts: ServiceParts<typeof processSettings>): Promise<OwnProcess> {
  const { lifecycle, config, logger, metrics } = parts;
  const environment = environmentOf(parts);
  const { clock } = environment;
  const shares = createDatabaseShares();
  const { sql } = await lifecycle.openClosable('store', () =>
    openStore({
      url: config.databaseUrl,
      applicationName: 'tidewatch-query-api',
      max: 10,
      bindsOrganization: true,
      shareOf: shares.shareOf,
    }),
  );
  const keys = await openKeyAccess(lifecycle, {
    ...environment,
    keys: keySource(sql),
    record: (uses) => recordKeyUses(sql, uses),
  });
  const sender = await lifecycle.openClosable('sender', () =>
    createSender({ ...readDestinationOptions(config), clock, ...logFaults(logger) }),
  );
  const limit = await lifecycle.openClosable('limit', () =>
    openSharedLimit({ url: config.redisUrl, policy: 'api', logger, metrics }),
  );
  const service = openQueryApi({
    ...environment,
    sql,
    shares,
    keys,
    secrets: createSecretBox(config.secretKey),
    sender,
    limit,
    samples: openSampleBuckets(config.samplesPerMinute, limit.redis),
    config,
    starterRules: false,
    topology: 'distributed',
  });
  return {
    service,
    processes: createProcessRegistry(sql),
    http: config,
    missing: { database: () => ping(sql) },
  };
}
