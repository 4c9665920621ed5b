import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { findBinaries } from '@tidewatch/standalone/postgres/binaries';
import { openEmbeddedPostgres } from '@tidewatch/standalone/postgres/embedded-postgres';
import { containerObstacle, describeImage } from './container.ts';
import type { PartServer, PartSource } from './part.ts';

/** The address at which suites reach PostgreSQL as its superuser `postgres`. */
export interface PostgresAddress {
  host: string;
  port: number;
  password: string;
}

const IMAGE = 'postgres:18.4';

/** Starts one server for a run; each suite gets its own database on it. */
export const postgresSource: PartSource<PostgresAddress> = {
  name: 'PostgreSQL',
  variable: 'TIDEWATCH_TEST_POSTGRES_URL',
  read: readAddress,
  ways: {
    container: {
      obstacle: () => containerObstacle(IMAGE, { kept: true }),
      start: () => startPostgresContainer(IMAGE),
    },
    native: { obstacle: embeddedObstacle, start: startEmbedded },
  },
};

/** Parses `postgres://postgres:PASSWORD@HOST:PORT`, a server of any version. */
export function readAddress(text: string): PostgresAddress {
  const url = new URL(text);
  const { hostname, port, password } = url;
  return { host: hostname, port: Number(port || 5432), password: decodeURIComponent(password) };
}

// Settings without durability, because the data of a run may be lost.
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

/** Starts PostgreSQL in a container that the next run reuses. */
export async function startPostgresContainer(image: string): Promise<PartServer<PostgresAddress>> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const container = await new PostgreSqlContainer(image)
    .withUsername('postgres')
    .withPassword('tidewatch-test')
    .withDatabase('postgres')
    .withCommand([
      'postgres',
      ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ])
    .withReuse()
    .start();
  return {
    address: { host: container.getHost(), port: container.getPort(), password: container.getPassword() },
    detail: await describeImage(image),
    close: async () => undefined,
  };
}

function embeddedObstacle(): string | null {
  try {
    findBinaries();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

async function startEmbedded(): Promise<PartServer<PostgresAddress>> {
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-test-'));
  chmodSync(home, 0o755);
  const password = randomUUID();
  const server = await openOnFreePort(join(home, 'postgres'), password);
  const version = spawnSync(findBinaries().postgres, ['--version'], { encoding: 'utf8' }).stdout.trim();
  return {
    address: { host: server.host, port: server.port, password },
    detail: `embedded ${version}`,
    close: async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function openOnFreePort(home: string, password: string) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const throwaway = { port: await freePort() };
      return await openEmbeddedPostgres({ home, password, log: () => undefined, throwaway });
    } catch (error) {
      if (attempt === 4) throw error; // else another program took the port between our look and PostgreSQL's
    }
  }
}
