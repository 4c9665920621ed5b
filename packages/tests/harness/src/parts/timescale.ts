import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@tidewatch/database/connection';
import { startPostgres } from '@tidewatch/stack/parts/postgres-server';
import { findTimescale } from '@tidewatch/stack/parts/timescale-binaries';
import { readOfferedBackend } from '@tidewatch/store/backends/choice';
import type { StorageBackendName } from '@tidewatch/store/backends/storage-backend';
import { containerObstacle } from './container.ts';
import { type OpenPart, openPart, type Part, type PartServer, type PartSource } from './part.ts';
import { type PostgresAddress, startPostgresContainer } from './postgres.ts';
import { recordPart } from './report.ts';

/**
 * The address at which suites reach a PostgreSQL with TimescaleDB as its superuser, and the storage backends that it
 * supports.
 */
export interface TimescaleAddress {
  url: string;
  backends: StorageBackendName[];
}

const IMAGE = 'timescale/timescaledb:2.29.2-pg18';

interface Server {
  url: string;
}

const timescaleSource: PartSource<Server> = {
  name: 'Timescale',
  variable: 'TIDEWATCH_TEST_TIMESCALE_URL',
  read: (text) => ({ url: new URL(text).href }),
  ways: {
    container: { obstacle: () => containerObstacle(IMAGE, { kept: true }), start: startInContainer },
    native: {
      obstacle: () => (findTimescale() ? null : 'no PostgreSQL here has TimescaleDB'),
      start: startNatively,
    },
  },
};

/** Opens a server with TimescaleDB, found like every part, with the storage backends that it serves. */
export async function openTimescalePart(): Promise<OpenPart<TimescaleAddress>> {
  const { part, close } = await openPart(timescaleSource);
  if (part.state === 'lacked') return { part, close };
  return { part: { state: part.state, ...(await describeServer(part.address.url, part.detail)) }, close };
}

/** Reports TimescaleDB to the run; the Community edition is a separate part, because no distribution includes it. */
export function recordTimescale(part: Part<TimescaleAddress>): void {
  const { name } = timescaleSource;
  recordPart({ ...part, name });
  const served = part.state !== 'lacked' && part.address.backends.includes('community');
  recordPart({ name: `${name} Community`, state: served ? part.state : 'lacked', detail: part.detail });
}

const urlOf = ({ host, port, password }: PostgresAddress): Server => ({
  url: `postgres://postgres:${encodeURIComponent(password)}@${host}:${port}/postgres`,
});

async function startInContainer(): Promise<PartServer<Server>> {
  const server = await startPostgresContainer(IMAGE);
  return { ...server, address: urlOf(server.address) };
}

async function startNatively(): Promise<PartServer<Server>> {
  const found = findTimescale();
  if (found === null) throw new Error('no PostgreSQL here has TimescaleDB');
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-timescale-'));
  const password = randomUUID();
  const server = await startPostgres({ binaries: found.binaries, home, password, timescale: true });
  return {
    address: urlOf({ host: server.host, port: server.port, password }),
    detail: found.detail,
    close: async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function describeServer(
  url: string,
  name: string,
): Promise<{ address: TimescaleAddress; detail: string }> {
  const admin = openStore({ url, max: 1, searchPath: 'public' });
  try {
    await admin.sql`create extension if not exists timescaledb`;
    const best = await readOfferedBackend(admin.sql);
    const backends: StorageBackendName[] =
      best === 'community' ? ['plain', 'apache', 'community'] : ['plain', best];
    return { address: { url, backends }, detail: `${name}, storage backend ${best}` };
  } finally {
    await admin.close();
  }
}
