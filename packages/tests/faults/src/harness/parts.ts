import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@tidewatch/database/connection';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { startKafkaBroker } from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka } from '@tidewatch/stack/parts/kafka-distribution';
import { startPostgres } from '@tidewatch/stack/parts/postgres-server';
import { findRedis, startRedis } from '@tidewatch/stack/parts/redis-server';
import { findBinaries } from '@tidewatch/standalone/postgres/binaries';
import { createServer, type Server } from './server.ts';
import { waitFor } from './wait.ts';

/** The servers of a distributed installation, started by the tests so that they can be broken. */
export interface Parts {
  kafka: Server & { brokers: string; home: string };
  postgres: Server & {
    home: string;
    url(database: string): string;
    /** Resolves once the server accepts statements (after a crash: once it has recovered); throws after `withinMs`. */
    accepts(withinMs: number): Promise<void>;
  };
  redis: Server & { url: string };
  /** The folder of all files that this run writes. */
  home: string;
  /** Ends all servers and removes their data. */
  close(): Promise<void>;
}

export interface PartsOptions {
  /** The folders in which Kafka and PostgreSQL keep their data; by default below `home`. */
  kafkaHome?: string;
  postgresHome?: string;
  /** Keeps the folder with its logs after the run. */
  keep?: boolean;
}

/**
 * Starts Kafka, PostgreSQL and Redis natively on free ports. They are never shared with other runs, because tests break
 * them.
 */
export async function startParts(options: PartsOptions = {}): Promise<Parts> {
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-faults-'));
  chmodSync(home, 0o755);
  const password = randomBytes(16).toString('hex');
  const kafkaHome = options.kafkaHome ?? join(home, 'kafka');
  const postgresHome = options.postgresHome ?? join(home, 'postgres');
  const [port, controllerPort, postgresPort, redisPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const command = findRedis()?.command ?? 'redis-server';
  const kafka = createServer('Kafka', () =>
    startKafkaBroker({ distribution: fetchKafka(), home: kafkaHome, port, controllerPort }),
  );
  const postgres = createServer('PostgreSQL', () =>
    startPostgres({ binaries: findBinaries(), home: postgresHome, password, port: postgresPort }),
  );
  const redis = createServer('Redis', () =>
    startRedis({ command, home: join(home, 'redis'), port: redisPort, password }),
  );
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${postgresPort}/${database}`;
  const close = async () => {
    await Promise.all([kafka, postgres, redis].map((server) => server.stop()));
    if (!options.keep) rmSync(home, { recursive: true, force: true });
  };
  try {
    await Promise.all([kafka, postgres, redis].map((server) => server.start()));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kafka: { ...kafka, brokers: `127.0.0.1:${port}`, home: kafkaHome },
    postgres: {
      ...postgres,
      home: postgresHome,
      url,
      accepts: async (withinMs) =>
        void (await waitFor('PostgreSQL takes statements', withinMs, () => answers(url('postgres')))),
    },
    redis: { ...redis, url: `redis://:${password}@127.0.0.1:${redisPort}` },
    home,
    close,
  };
}

async function answers(url: string): Promise<boolean> {
  const store = openStore({ url, max: 1, searchPath: 'public' });
  try {
    await store.sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await store.close();
  }
}

/** Starts the servers that a case has left stopped, and waits until all can be used. */
export async function revive({ kafka, postgres, redis }: Parts): Promise<void> {
  for (const server of [kafka, postgres, redis]) {
    if (server.isRunning()) server.signal('SIGCONT');
    else await server.start();
  }
  await postgres.accepts(120_000);
}
