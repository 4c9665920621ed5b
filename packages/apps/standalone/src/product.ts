import { hostname } from 'node:os';
import { PublicationRefusedError } from '@tidewatch/bus/bus';
import { openInProcessBus } from '@tidewatch/bus/in-process';
import { HEALTH_ROUTES } from '@tidewatch/contracts/document/operation-routes';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { INGEST_ROUTES } from '@tidewatch/contracts/ingest/ingest-route';
import type { SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { newId } from '@tidewatch/contracts/values/id';
import { createSender } from '@tidewatch/destinations/sender';
import { archiveAfter } from '@tidewatch/evaluator/archiving-settings';
import { createEvaluator } from '@tidewatch/evaluator/evaluator';
import { createOutboxRelay } from '@tidewatch/evaluator/events/outbox-relay';
import { createPipelineWatch } from '@tidewatch/evaluator/health/pipeline-watch';
import { createSilenceMarks } from '@tidewatch/evaluator/silences/silence-marks';
import { createGateway } from '@tidewatch/gateway/gateway';
import { seriesOfStore } from '@tidewatch/gateway/series-limit/series-store';
import { openInvestigator } from '@tidewatch/investigator/open-investigator';
import { createChannelSource } from '@tidewatch/notifier/channel-source';
import { createNotifier } from '@tidewatch/notifier/notifier';
import { createEventHub } from '@tidewatch/query-api/events/event-hub';
import { createQueryApi, QUERY_API_ENDPOINTS } from '@tidewatch/query-api/service';
import { createAuthentication } from '@tidewatch/runtime/auth/authentication';
import { startKeyUses } from '@tidewatch/runtime/auth/key-uses';
import { createAdmission } from '@tidewatch/runtime/http/admission';
import { createApp } from '@tidewatch/runtime/http/app';
import { createHealthRoutes } from '@tidewatch/runtime/http/health-routes';
import { listen } from '@tidewatch/runtime/http/http-server';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { retentionDays, retentionMs } from '@tidewatch/runtime/settings/database-settings';
import { readDestinationOptions } from '@tidewatch/runtime/settings/destination-settings';
import { readHeartbeat } from '@tidewatch/runtime/settings/heartbeat-settings';
import type { Listening } from '@tidewatch/runtime/settings/http-settings';
import { readOrganizationLimits } from '@tidewatch/runtime/settings/organization-limit-settings';
import { exposeDeadLetters } from '@tidewatch/runtime/telemetry/dead-letters';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics, type Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import type { Sql, Transaction } from '@tidewatch/store/database/connection';
import { inOrganization } from '@tidewatch/store/database/tenancy/bound-organization';
import { keySource } from '@tidewatch/store/keys/find';
import { recordKeyUses } from '@tidewatch/store/keys/note-uses';
import { saveReceipt } from '@tidewatch/store/receipts/receipts';
import { transactionId } from '@tidewatch/store/receipts/transaction-id';
import { installAtFirstStart } from '@tidewatch/store/rules/starter-set';
import { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { createWriter } from '@tidewatch/writer/writer';
import type { StandaloneConfig } from './config.ts';
import { databaseHome } from './data-directory.ts';
import { watchDisk } from './disk-guard.ts';
import { prepareFirstKey } from './first-key.ts';
import { prepareLocalAgentKey } from './local-agent-key.ts';
import type { OpenData } from './open-data.ts';
import { createProductReadiness } from './readiness.ts';

export interface RunningProduct {
  /** `http://127.0.0.1:8230` */
  url: string;
  /** The key that this start made; null at later starts. */
  newKey: string | null;
  /** The key of the local agent, null where it is off. */
  localAgentKey: string | null;
  metrics: Metrics;
}

/** Samples of a record, the measure of the bus' limits. */
function weigh(value: unknown): number {
  const record = value as SampleRecord;
  let samples = 1;
  if (record.kind === 'samples') {
    for (const payload of record.payloads) {
      samples += payload.metrics.length + 4 * (payload.containers?.length ?? 0);
    }
  }
  return samples;
}

/** Opens the whole product on its data, in one process: this list is the system. */
export async function startProduct(
  lifecycle: Lifecycle,
  config: StandaloneConfig,
  { database, secrets, address }: OpenData & { address: Listening },
  logger: Logger,
): Promise<RunningProduct> {
  const clock = Date.now;
  const directory = config.dataDirectory;
  const metrics = await lifecycle.open('metrics', createMetrics, (part) => part.close());
  const { ingest, query, serverVersion, schemaVersion } = database;
  database.queryShares.expose(metrics);
  const { newKey, localAgentKey } = await database.asAdmin((sql) => prepareKeysAndRules(sql, config, logger));

  const retention = retentionDays(config);
  const backend = await openStorageBackend(ingest.sql, retention);
  const services = new ServiceDirectory({ newId, clock });
  const shared = { directory: services, sql: ingest.sql, clock, metrics, logger };
  const holder = `${hostname()}/${process.pid}`;
  const writer = createWriter({ ...shared, retention, backend, holder });
  const relay = createOutboxRelay({
    ...{ sql: ingest.sql, metrics, logger, holder },
    publish: async (events) => {
      const messages = events.map(({ event }) => ({ key: String(event.subject), value: event }));
      await bus.publish(TOPICS.events, messages).catch(passOverRefused);
    },
  });
  const evaluator = createEvaluator({
    ...{ ...shared, newId, onEvents: relay.nudge },
    archiveAfter: archiveAfter(config),
    alertsAtOnce: config.alertsAtOnce,
    alertInstancesLimit: config.alertInstancesLimit,
    publicUrl: config.publicUrl ?? null,
    probeEveryMs: config.probeSeconds * 1_000,
  });
  const pipelineWatch = createPipelineWatch({
    ...{ sql: ingest.sql, clock, newId, logger, onEvents: relay.nudge },
    holder: holder,
  });
  const silenceMarks = createSilenceMarks({
    ...{ sql: ingest.sql, clock, newId, holder, metrics, logger, onEvents: relay.nudge },
  });
  const noteDeadLetter = exposeDeadLetters(metrics, ['writer', 'evaluator', 'notifier', 'investigator']);
  const bus = openInProcessBus<Transaction>({
    transact: ingest.transact,
    // Both of its consumers ask first what was changed.
    transactFor: { [TOPICS.samples]: ingest.transactReading },
    identify: transactionId,
    clock,
    weigh,
    // An event is published once the notifier has decided who is told: the bus keeps nothing that outlives the process.
    synchronousTopics: [TOPICS.samples, TOPICS.events],
    onDeadLetter({ consumer, reason, delivery: { topic, key } }) {
      noteDeadLetter(consumer);
      logger.error({ consumer, reason, topic, of: key }, 'a record was given up');
    },
  });
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
  const notifier = createNotifier({
    ...{ sql: ingest.sql, clock, newId, random: Math.random, sender, metrics, logger },
    ...createChannelSource(ingest.sql, secrets),
    publicUrl: config.publicUrl ?? null,
    ...readHeartbeat(config),
    groupedForMs: config.groupSeconds * 1_000,
  });
  const { investigator } = await openInvestigator({
    ...{ lifecycle, config, clock, metrics, logger, holder },
    database: database.ingestAddress,
    retention: retentionMs(config),
    publicUrl: config.publicUrl ?? null,
  });
  // The evaluator takes storms in parts, and what it has yet to take is not to be stored.
  bus.subscribe(TOPICS.samples, evaluator.consumer);
  bus.subscribe(TOPICS.samples, writer.consumer);
  bus.subscribe(TOPICS.events, notifier.consumer);
  bus.subscribe(TOPICS.events, investigator.consumer);
  await lifecycle.open('investigator', investigator.start, investigator.stop);
  await lifecycle.open('notifier', notifier.start, notifier.stop);
  await lifecycle.open(
    'writer',
    () => writer.start(),
    () => writer.stop(),
  );
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

  const admission = createAdmission();
  await lifecycle.open(
    'disk guard',
    () => watchDisk(databaseHome(directory), config, admission, logger),
    (stop) => stop(),
  );
  const uses = await lifecycle.open(
    'uses of keys',
    () => startKeyUses({ write: (noted) => recordKeyUses(query.sql, noted), clock, logger }),
    (part) => part.stop(),
  );
  const authentication = createAuthentication({ keys: keySource(query.sql), clock, logger, uses });
  const gateway = createGateway({
    ...{ bus, authentication, admission, clock, newId, config, metrics, logger, uses },
    saveReceipt: (receipt) => inOrganization(receipt.organizationId, () => saveReceipt(query.sql, receipt)),
    series: { store: seriesOfStore(query.sql, clock), settleMs: 0 },
  });
  const { authenticate, stillOpens } = authentication;
  const events = createEventHub({ sql: query.sql, clock, random: Math.random, metrics, logger });
  const queryApi = createQueryApi({
    ...{ sql: query.sql, authenticate, stillOpens, clock, newId, metrics, logger },
    ...{ secrets, sender, events },
    config: {
      retention: retentionMs(config),
      publicUrl: config.publicUrl ?? null,
      rateLimitPerMinute: config.rateLimitPerMinute,
      starterRules: config.starterRules,
      allowPrivateDestinations: config.allowPrivateDestinations,
      hasMailServer: config.smtpUrl !== undefined,
      limits: readOrganizationLimits(config),
    },
  });
  const versions = { node: process.version, postgresql: serverVersion, schema: schemaVersion };
  const details = { topology: 'embedded', edition: backend.name, versions };
  const readiness = createProductReadiness({
    ...{ sql: query.sql, bus, notifier, investigator, admission, authentication, secrets, details },
  });
  const routers = [gateway.router, queryApi, createHealthRoutes(metrics, readiness)];
  const endpoints = [...INGEST_ROUTES, ...QUERY_API_ENDPOINTS, ...HEALTH_ROUTES];
  const app = createApp({ routers, endpoints, logger, metrics, trustProxy: config.trustProxy });
  await lifecycle.open(
    'gateway',
    () => gateway.start(),
    () => gateway.stop(),
  );
  const server = await lifecycle.open(
    'http server',
    () => open({ app, metrics, ...address }),
    (part) => part.close(4_000),
  );
  // After the server, so that it ends before: streams do not end by themselves.
  await lifecycle.open('event streams', events.start, events.stop);
  return { url: server.url, newKey, localAgentKey, metrics };
}

/** What a first start makes: a key, the starter set of rules, and at each start the key of the local agent. */
async function prepareKeysAndRules(sql: Sql, config: StandaloneConfig, logger: Logger) {
  const clock = Date.now;
  const newKey = await prepareFirstKey({
    ...{ sql, directory: config.dataDirectory, given: config.bootstrapKey, clock, newId },
  });
  if (config.starterRules) {
    const rules = await installAtFirstStart(sql, { now: clock(), newId });
    if (rules > 0) logger.info({ rules }, 'the starter set of alert rules was made');
  }
  return { newKey, localAgentKey: await prepareLocalAgentKey(sql, config.localAgent, clock) };
}

/** An event that cannot even be read is in the log; those beside it were taken. */
function passOverRefused(error: unknown): void {
  if (!(error instanceof PublicationRefusedError)) throw error;
}

async function open(address: Parameters<typeof listen>[0]) {
  try {
    return await listen(address);
  } catch (error) {
    const where = `${address.host}:${address.port}`;
    const code = (error as NodeJS.ErrnoException).code;
    const why =
      code === 'EADDRINUSE'
        ? 'another program listens there'
        : code === 'EACCES'
          ? 'this user may not listen there'
          : code;
    throw why
      ? new StartRefusedError(
          `Cannot listen on ${where}: ${why}. Choose another TIDEWATCH_PORT or TIDEWATCH_HOST.`,
        )
      : error;
  }
}
