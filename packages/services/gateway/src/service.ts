import { openProductBus } from '@tidewatch/bus/kafka/product-bus';
import { INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-route';
import { newId } from '@tidewatch/contracts/values/id';
import { createAuthentication } from '@tidewatch/runtime/auth/authentication';
import { startKeyUses } from '@tidewatch/runtime/auth/key-uses';
import { createAdmission } from '@tidewatch/runtime/http/admission';
import { createApp } from '@tidewatch/runtime/http/app';
import { listen } from '@tidewatch/runtime/http/http-server';
import type { ReadinessOptions } from '@tidewatch/runtime/http/readiness';
import { openSharedLimit } from '@tidewatch/runtime/limits/shared-limit';
import type { ServiceParts } from '@tidewatch/runtime/process/service-process';
import { readListening } from '@tidewatch/runtime/settings/http-settings';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import { openStore } from '@tidewatch/store/database/connection';
import { ping } from '@tidewatch/store/database/ping';
import { inOrganization } from '@tidewatch/store/database/tenancy/bound-organization';
import { keySource } from '@tidewatch/store/keys/find';
import { recordKeyUses } from '@tidewatch/store/keys/note-uses';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import { saveReceipt } from '@tidewatch/store/receipts/receipts';
import type { processSettings } from './config.ts';
import { createGateway } from './gateway.ts';
import { seriesOfStore } from './series-limit/series-store.ts';

/** When new series are counted, payloads that were acknowledged longer ago count as stored. */
const WRITERS_BEHIND_MS = 10_000;

/** Opens the gateway as a process of its own: keys from the database, payloads to Kafka, limits in Redis. */
export async function openService(parts: ServiceParts<typeof processSettings>): Promise<ReadinessOptions> {
  const { lifecycle, config, logger, metrics } = parts;
  const clock = Date.now;
  const store = await lifecycle.open(
    'store',
    () =>
      openStore({ url: config.databaseUrl, applicationName: 'tidewatch-gateway', bindsOrganization: true }),
    (part) => part.close(),
  );
  const bus = openProductBus({
    ...{
      access: readKafkaAccess(config),
      clientId: 'tidewatch-gateway',
      topicPrefix: config.kafkaTopicPrefix,
    },
    ...{ transact: store.transact, offsets: createConsumerOffsets(store.sql), logger },
  });
  await lifecycle.open(
    'bus',
    () => bus.start(),
    () => bus.close(),
  );
  const limit = await lifecycle.open(
    'limit',
    () => openSharedLimit({ url: config.redisUrl, policy: 'ingest', logger, metrics }),
    (part) => part.close(),
  );
  const uses = await lifecycle.open(
    'uses of keys',
    () => startKeyUses({ write: (noted) => recordKeyUses(store.sql, noted), clock, logger }),
    (part) => part.stop(),
  );
  const authentication = createAuthentication({ keys: keySource(store.sql), clock, logger, uses });
  const admission = createAdmission();
  const gateway = createGateway({
    ...{ bus, authentication, admission, clock, config, metrics, logger, uses },
    limitStore: limit.store,
    ...{
      newId,
      saveReceipt: (receipt) => inOrganization(receipt.organizationId, () => saveReceipt(store.sql, receipt)),
    },
    limitRedis: limit.redis,
    series: { store: seriesOfStore(store.sql, clock), settleMs: WRITERS_BEHIND_MS },
  });
  await lifecycle.open(
    'gateway',
    () => gateway.start(),
    () => gateway.stop(),
  );
  const app = createApp({
    routers: [gateway.router],
    endpoints: INGEST_ROUTES,
    logger,
    metrics,
    trustProxy: config.trustProxy,
  });
  const server = await lifecycle.open(
    'http server',
    () => listen({ app, metrics, ...readListening(config) }),
    (part) => part.close(4_000),
  );
  logger.info({ url: server.url }, 'ingest is served');
  return {
    missing: [() => bus.health().reasons],
    degraded: [
      async () => {
        const away = await ping(store.sql);
        const known = away.length === 0 && authentication.healthy();
        return known ? [] : ['keys cannot be looked up; those seen before go on'];
      },
      () => limit.reasons(),
    ],
  };
}
