import { openProductBus } from '@tidewatch/bus/kafka/product-bus';
import type { Transaction } from '@tidewatch/database/connection';
import { ping } from '@tidewatch/database/ping';
import { environmentOf } from '@tidewatch/runtime/process/backend-service';
import type { OwnProcess, ServiceParts } from '@tidewatch/runtime/process/service-process';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import { exposeConsumption } from '@tidewatch/runtime/telemetry/consumption';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import { createProcessRegistry } from '@tidewatch/store/system/process-registry';
import type { processSettings } from './config.ts';
import { openInvestigatorStore } from './investigator-store.ts';
import { openInvestigator } from './open-investigator.ts';
import { WITHOUT_RESTS } from './run/pace.ts';

/** The investigator as a process of its own: on a database and Kafka. */
export async function openOwnProcess(parts: ServiceParts<typeof processSettings>): Promise<OwnProcess> {
  const { lifecycle, config, logger, metrics } = parts;
  const store = await openInvestigatorStore(lifecycle, { url: config.databaseUrl });
  const { sql, transact } = store;
  const bus = openProductBus<Transaction>({
    access: readKafkaAccess(config),
    clientId: 'tidewatch-investigator',
    topicPrefix: config.kafkaTopicPrefix,
    transact,
    offsets: createConsumerOffsets(sql),
    logger,
    ...exposeConsumption(metrics, 'investigator'),
  });
  const service = await openInvestigator({
    ...environmentOf(parts),
    bus,
    store,
    config,
    pace: WITHOUT_RESTS,
  });
  return {
    service,
    processes: createProcessRegistry(sql),
    bus,
    missing: { bus: () => bus.health().reasons, database: () => ping(sql) },
  };
}
