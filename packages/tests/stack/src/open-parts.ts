import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@tidewatch/database/connection';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { writeSecret } from '@tidewatch/standalone/data-directory/data-directory';
import { PostgresUnusableError } from '@tidewatch/standalone/postgres/unusable';
import type { StackConfig } from './config.ts';
import type { Crew } from './member.ts';
import { type ChosenServer, chooseServer } from './parts/choose-server.ts';
import { freePort } from './parts/free-port.ts';
import { type KafkaLogin, startKafkaBroker } from './parts/kafka-broker.ts';
import { fetchKafka, KAFKA_VERSION, kafkaObstacle } from './parts/kafka-distribution.ts';
import { startPostgres } from './parts/postgres-server.ts';
import { findRedis, startRedis } from './parts/redis-server.ts';

/** The addresses of the servers that the stack uses; that of PostgreSQL logs in as superuser. */
export interface StackParts {
  kafka: string;
  /**
   * The login of the Kafka broker that the stack starts; null if the settings name brokers, whose login is in the settings.
   */
  kafkaLogin: KafkaLogin | null;
  postgres: string;
  redis: string;
}

const DATABASE = 'tidewatch';

/** Uses the servers that the settings name, and starts the missing ones as processes of the stack. */
export async function openParts(
  crew: Crew,
  config: StackConfig,
  logs: string,
  logger: Logger,
): Promise<StackParts> {
  const [{ brokers: kafka, login: kafkaLogin }, postgres, redis] = await Promise.all([
    config.kafkaBrokers !== undefined
      ? { brokers: config.kafkaBrokers, login: null }
      : addKafka(crew, config.dataDirectory, logger),
    config.databaseUrl ?? addPostgres(crew, config.dataDirectory, logger),
    config.redisUrl ?? addRedis(crew, config.dataDirectory, logger),
  ]);
  await makeDatabase(postgres);
  logger.info({ logs }, 'the parts are running; services log into this folder');
  return { kafka, kafkaLogin, postgres, redis };
}

async function addKafka(
  crew: Crew,
  directory: string,
  logger: Logger,
): Promise<{ brokers: string; login: KafkaLogin }> {
  const obstacle = kafkaObstacle();
  if (obstacle !== null) {
    throw new StartRefusedError(
      `Kafka cannot be started here: ${obstacle}. Install Java 17 and Maven, or name brokers in TIDEWATCH_TEST_KAFKA_BROKERS.`,
    );
  }
  logger.info({ version: KAFKA_VERSION }, 'starting Kafka; the first time it is fetched through Maven');
  const distribution = fetchKafka();
  const [port, controllerPort] = [await freePort(), await freePort()];
  const home = join(directory, 'kafka');
  const login = { username: 'tidewatch', password: keptSecret(join(directory, 'kafka-password')) };
  await crew.add({
    role: 'kafka',
    name: 'kafka',
    start: (leaving) => startKafkaBroker({ distribution, home, port, controllerPort, login, leaving }),
  });
  return { brokers: `127.0.0.1:${port}`, login };
}

async function addPostgres(crew: Crew, directory: string, logger: Logger): Promise<string> {
  const home = join(directory, 'postgres');
  const { binaries, timescale, detail } = serverFor(home);
  logger.info({ server: detail }, 'starting PostgreSQL');
  const password = keptSecret(join(directory, 'postgres-password'));
  const port = await freePort();
  const part = logger.child({ part: 'postgresql' });
  const log = (text: string) => part.debug(text);
  const start = () => startPostgres({ binaries, timescale, home, password, port, log });
  await crew.add({ role: 'postgres', name: 'postgres', start });
  return `postgres://postgres:${password}@127.0.0.1:${port}/${DATABASE}`;
}

function serverFor(home: string): ChosenServer {
  try {
    return chooseServer(home);
  } catch (error) {
    throw error instanceof PostgresUnusableError ? new StartRefusedError(error.message) : error;
  }
}

async function addRedis(crew: Crew, directory: string, logger: Logger): Promise<string> {
  const found = findRedis();
  if (!found) {
    throw new StartRefusedError(
      'There is neither valkey-server nor redis-server on PATH. Install one, or name it in TIDEWATCH_TEST_REDIS_URL.',
    );
  }
  logger.info({ found: found.version }, 'starting Redis');
  const port = await freePort();
  const password = keptSecret(join(directory, 'redis-password'));
  const { command } = found;
  await crew.add({
    role: 'redis',
    name: 'redis',
    start: (leaving) => startRedis({ command, home: join(directory, 'redis'), port, password, leaving }),
  });
  return `redis://:${password}@127.0.0.1:${port}`;
}

async function makeDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const maintenance = openStore({ url, database: 'postgres', max: 1, searchPath: 'public' });
  try {
    const [there] = await maintenance.sql`select 1 from pg_database where datname = ${name}`;
    if (!there) await maintenance.sql`create database ${maintenance.sql(name)}`;
  } finally {
    await maintenance.close();
  }
}

/** Reads a secret from its file; creates the secret at the first start. */
function keptSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = randomBytes(24).toString('base64url');
  writeSecret(path, made);
  return made;
}
