import { hostname } from 'node:os';
import { openProductBus } from '@tidewatch/bus/kafka/product-bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { newId } from '@tidewatch/contracts/values/id';
import type { ReadinessOptions } from '@tidewatch/runtime/http/readiness';
import type { ServiceParts } from '@tidewatch/runtime/process/service-process';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import { exposeConsumerLag } from '@tidewatch/runtime/telemetry/consumer-lag';
import { exposeDeadLetters } from '@tidewatch/runtime/telemetry/dead-letters';
import { exposeRewinds } from '@tidewatch/runtime/telemetry/rewinds';
import { openStore, SHARED_WORK_IDLE_MS, type Transaction } from '@tidewatch/store/database/connection';
import { ping } from '@tidewatch/store/database/ping';
import { createConsumerOffsets } from '@tidewatch/store/offsets/consumer-offsets';
import { recordDeadLetters } from '@tidewatch/store/receipts/marks';
import { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { archiveAfter } from './archiving-settings.ts';
import type { processSettings } from './config.ts';
import { createEvaluator } from './evaluator.ts';
import { createOutboxRelay } from './events/outbox-relay.ts';
import { createPipelineWatch } from './health/pipeline-watch.ts';
import { createSilenceMarks } from './silences/silence-marks.ts';

/** What two fetches may differ by, and the writer's transaction. */
const LEFT_TO_WRITER_MS = 400;

/** Opens the evaluator as a process of its own: samples from Kafka, alerts into the database, events back to Kafka. */
export async function openService(parts: ServiceParts<typeof processSettings>): Promise<ReadinessOptions> {
  const { lifecycle, config, logger, metrics } = parts;
  const clock = Date.now;
  const store = await lifecycle.open(
    'store',
    () =>
      openStore({
        url: config.databaseUrl,
        applicationName: 'tidewatch-evaluator',
        max: 6,
        idleInTransactionMs: SHARED_WORK_IDLE_MS,
      }),
    (part) => part.close(),
  );
  const { sql, transact } = store;
  const bus = openProductBus<Transaction>({
    access: readKafkaAccess(config),
    clientId: 'tidewatch-evaluator',
    topicPrefix: config.kafkaTopicPrefix,
    transact,
    offsets: createConsumerOffsets(sql),
    logger,
    onLag: exposeConsumerLag(metrics),
    onDeadLetter: exposeDeadLetters(metrics, ['evaluator']),
    onRewind: exposeRewinds(metrics, ['evaluator']),
    recordDeadLetters: (letters) => recordDeadLetters(sql, letters),
  });
  const relay = createOutboxRelay({
    sql,
    metrics,
    logger,
    holder: `${hostname()}/${process.pid}`,
    publish: async (events) => {
      const messages = events.map(({ event }) => ({ key: String(event.subject), value: event }));
      await bus.publish(TOPICS.events, messages);
    },
  });
  const directory = new ServiceDirectory({ newId, clock, creationDelayMs: LEFT_TO_WRITER_MS });
  const evaluator = createEvaluator({
    directory,
    sql,
    clock,
    metrics,
    logger,
    newId,
    onEvents: relay.nudge,
    archiveAfter: archiveAfter(config),
    alertsAtOnce: config.alertsAtOnce,
    alertInstancesLimit: config.alertInstancesLimit,
    publicUrl: config.publicUrl ?? null,
    probeEveryMs: config.probeSeconds * 1_000,
    awaitsAssignment: true,
  });
  const pipelineWatch = createPipelineWatch({
    sql,
    clock,
    newId,
    logger,
    onEvents: relay.nudge,
    holder: `${hostname()}/${process.pid}`,
  });
  const silenceMarks = createSilenceMarks({
    sql,
    clock,
    newId,
    metrics,
    logger,
    onEvents: relay.nudge,
    holder: `${hostname()}/${process.pid}`,
  });
  bus.subscribe(TOPICS.samples, evaluator.consumer);
  await lifecycle.open(
    'bus',
    () => bus.start(),
    () => bus.close(),
  );
  await lifecycle.open(
    'evaluator',
    () => evaluator.start(),
    () => evaluator.stop(),
  );
  await lifecycle.open('outbox relay', relay.start, relay.stop);
  await lifecycle.open('silence marks', silenceMarks.start, silenceMarks.stop);
  await lifecycle.open('pipeline watch', pipelineWatch.start, pipelineWatch.stop);
  return {
    missing: [() => bus.health().reasons, () => ping(sql)],
    degraded: [],
  };
}
