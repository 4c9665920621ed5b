import { setTimeout as sleep } from 'node:timers/promises';
import { openKafka } from '@tidewatch/bus/kafka/connection';
import { createTopics } from '@tidewatch/bus/kafka/topics/topics';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore, type Sql } from '@tidewatch/database/connection';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { readKafkaAccess } from '@tidewatch/runtime/settings/kafka-settings';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { readOfferedBackend, readRecordedBackend } from '@tidewatch/store/backends/choice';
import { type MigrateOptions, migrate } from '@tidewatch/store/schema/migrate';
import { ensureLogin } from '@tidewatch/store/schema/provision';
import { makeDataDirectory } from '../data-directory/data-directory.ts';
import { prepareFirstKey } from '../keys/first-key.ts';
import { prepareAgentKey } from './agent-key.ts';
import type { migrateSettings } from './config.ts';

export interface Migrated {
  /** The key that this run created; null if there was one. */
  newKey: string | null;
}

/** The max time to wait for the database and the brokers to start, ms. */
const PATIENCE_MS = MINUTE_MS;

/** Updates an installation: schema, logins, topics, first key. Can be repeated. */
export async function migrateInstallation(
  config: ConfigOf<typeof migrateSettings>,
  logger: Logger,
  options: Pick<MigrateOptions, 'sampleLayout'> = {},
): Promise<Migrated> {
  const admin = openStore({
    url: config.adminDatabaseUrl,
    max: 2,
    applicationName: 'tidewatch-migrate',
    statementTimeoutMs: 0,
  });
  try {
    await patiently('the database', () => admin.sql`select 1`, logger);
    await migrate(admin.sql, { backend: config.storageBackend, ...options });
    await logBackend(admin.sql, logger);
    await makeLogins(admin.sql, config);
    makeDataDirectory(config.keyDirectory);
    const directory = config.keyDirectory;
    const newKey = await prepareFirstKey({
      sql: admin.sql,
      directory,
      given: config.bootstrapKey,
      clock: Date.now,
      newId,
    });
    if (config.agentKeyDirectory) await prepareAgentKey(admin.sql, config.agentKeyDirectory, Date.now);
    await patiently('Kafka', () => makeTopics(config, logger), logger);
    return { newKey };
  } finally {
    await admin.close();
  }
}

async function logBackend(sql: Sql, logger: Logger): Promise<void> {
  const [backend, offered] = [await readRecordedBackend(sql), await readOfferedBackend(sql)];
  if (backend === offered) logger.info({ backend }, 'the database schema is up to date');
  else
    logger.info(
      { backend, offered },
      'the database schema is up to date; a database keeps its storage backend, though the server offers another',
    );
}

async function makeLogins(sql: Sql, config: ConfigOf<typeof migrateSettings>): Promise<void> {
  await ensureLogin(sql, 'tidewatch_writer_login', config.writerPassword, ['tidewatch_writer']);
  await ensureLogin(sql, 'tidewatch_evaluator_login', config.evaluatorPassword, ['tidewatch_evaluator']);
  await ensureLogin(sql, 'tidewatch_notifier_login', config.notifierPassword, ['tidewatch_notifier']);
  await ensureLogin(sql, 'tidewatch_investigator_login', config.investigatorPassword, [
    'tidewatch_investigator',
  ]);
  await ensureLogin(sql, 'tidewatch_api_login', config.apiPassword, ['tidewatch_api']);
}

async function makeTopics(config: ConfigOf<typeof migrateSettings>, logger: Logger): Promise<void> {
  const kafka = openKafka({
    ...readKafkaAccess(config),
    clientId: 'tidewatch-migrate',
    log: (_level, message, fields) => logger.debug({ kafka: fields }, message),
  });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const created = await createTopics(admin, {
      partitions: config.kafkaPartitions,
      retentionHours: config.kafkaRetentionHours,
      prefix: config.kafkaTopicPrefix,
    });
    if (created.length > 0) logger.info({ topics: created }, 'created missing Kafka topics');
  } finally {
    await admin.disconnect();
  }
}

/** Retries while a server is still starting, up to a timeout. */
async function patiently(what: string, work: () => Promise<unknown>, logger: Logger): Promise<void> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await sleep(500)) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      logger.debug({ err: error }, `${what} does not answer yet`);
    }
  }
}
