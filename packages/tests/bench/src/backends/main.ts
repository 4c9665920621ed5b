import { cpus } from 'node:os';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { openStore, type Sql } from '@tidewatch/database/connection';
import { openTimescalePart } from '@tidewatch/harness/parts/timescale';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import type { StorageBackendName } from '@tidewatch/store/backends/storage-backend';
import { migrate } from '@tidewatch/store/schema/migrate';
import { number, table } from '../report/table.ts';
import { fillStore, SAMPLES } from './fill.ts';
import { compressAll, type Relation, relationBytes } from './measure.ts';

const HEADS = ['storage backend', 'samples', 'rollup_1m', 'rollup_1h', 'rollup_1d', 'all'];

/** Prints the bytes on disk of a sample in each storage backend that this machine's TimescaleDB supports. */
async function measureBackends(): Promise<void> {
  const { part, close } = await openTimescalePart();
  try {
    if (part.state === 'lacked') throw new Error(part.detail);
    const rows: string[][] = [];
    for (const backend of part.address.backends)
      rows.push(...(await inOwnDatabase(part.address.url, (url) => measure(url, backend))));
    console.log(`${part.detail}; ${cpus()[0]?.model}; ${number(SAMPLES)} samples; bytes a sample\n`);
    console.log(table(HEADS, rows));
  } finally {
    await close();
  }
}

async function inOwnDatabase<R>(server: string, work: (url: string) => Promise<R>): Promise<R> {
  const name = 'bench_backends';
  const admin = openStore({ url: server, max: 1, searchPath: 'public' });
  try {
    await admin.sql.unsafe(`drop database if exists ${name} with (force)`);
    await admin.sql.unsafe(`create database ${name} template template0`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    const answer = await work(url.href);
    await admin.sql.unsafe(`drop database ${name} with (force)`);
    return answer;
  } finally {
    await admin.close();
  }
}

async function measure(url: string, backend: StorageBackendName): Promise<string[][]> {
  const store = openStore({ url, max: 1, statementTimeoutMs: 0 });
  const { sql } = store;
  try {
    await migrate(sql, { backend });
    await fillStore(sql, await openStorageBackend(sql, DEFAULT_RETENTION_DAYS), Date.now());
    const rows = [await rowOf(sql, backend, backend)];
    if (backend === 'community') {
      await compressAll(sql);
      rows.push(await rowOf(sql, backend, 'community, compressed'));
    }
    return rows;
  } finally {
    await store.close();
  }
}

async function rowOf(sql: Sql, backend: StorageBackendName, name: string): Promise<string[]> {
  const bytes = await relationBytes(sql, backend);
  const all = Object.values(bytes).reduce((sum, each) => sum + each, 0);
  const cells = [...HEADS.slice(1, -1).map((head) => bytes[head as Relation]), all];
  return [name, ...cells.map((each) => number(each / SAMPLES, 2))];
}

await measureBackends();
