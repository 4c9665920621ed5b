import { openProductBus } from '@tidewatch/bus/kafka/product-bus';
import { openStore, type Transaction } from '@tidewatch/database/connection';
import { ping } from '@tidewatch/database/ping';
import { keyReasons, openKeyAccess } from '@tidewatch/runtime/auth/key-access';
import { createAdmission } from '@tidewatch/runtime/http/admission';
import { openSampleBuckets } from '@tidewatch/runtime/limits/sample-buckets';
import { openSharedLimit } from '@tidewatch/runtime/limits/shared-limit';
import { environmentOf } from '@tidewatch/runtime/process/backend-service';
import type { OwnProcess, ServiceParts } from '@tidewatch/runtime/process/service-process';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import { keySource } from '@tidewatch/store/keys/find';
import { recordKeyUses } from '@tidewatch/store/keys/note-uses';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import { createProcessRegistry } from '@tidewatch/store/system/process-registry';
import type { processSettings } from './config.ts';
import { openGateway } from './open-gateway.ts';

/** How long an acknowledged payload may wait to be stored by a writer, ms. */
const STORED_WITHIN_MS = 10_000;

/** The gateway as a process of its own: keys from the database, payloads to Kafka, limits in Redis. */
export async function openOwnProcess(parts: ServiceParts<typeof processSettings>): Promise<OwnProcess> {
  const { lifecycle, config, logger, metrics } = parts;
  const environment = environmentOf(parts);
  const { sql, transact } = await lifecycle.openClosable('store', () =>
    openStore({ url: config.databaseUrl, applicationName: 'tidewatch-gateway', bindsOrganization: true }),
  );
  const bus = openProductBus<Transaction>({
    access: readKafkaAccess(config),
    clientId: 'tidewatch-gateway',
    topicPrefix: config.kafkaTopicPrefix,
    transact,
    offsets: createConsumerOffsets(sql),
    logger,
  });
  const limit = await lifecycle.openClosable('limit', () =>
    openSharedLimit({ url: config.redisUrl, policy: 'ingest', logger, metrics }),
  );
  const keys = await openKeyAccess(lifecycle, {
    ...environment,
    keys: keySource(sql),
    record: (uses) => recordKeyUses(sql, uses),
  });
  const service = openGateway({
    ...environment,
    bus,
    sql,
    keys,
    admission: createAdmission(),
    limit,
    samples: openSampleBuckets(config.samplesPerMinute, limit.redis),
    storedWithinMs: STORED_WITHIN_MS,
    config,
  });
  return {
    service,
    processes: createProcessRegistry(sql),
    bus,
    http: config,
    missing: { bus: () => bus.health().reasons },
    degraded: { database: async () => keyReasons((await ping(sql)).length === 0) },
  };
}
