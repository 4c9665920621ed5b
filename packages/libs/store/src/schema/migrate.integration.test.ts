import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startEmptyDatabase, type TestDatabase } from '@tidewatch/harness/postgres';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore, type Store } from '../database/connection.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let store: Store;
let directory: string;

beforeEach(async () => {
  database = await startEmptyDatabase();
  store = openStore({ url: database.adminUrl, searchPath: 'public' });
  directory = await mkdtemp(`${tmpdir()}/tidewatch-migrations-`);
  await cp(fileURLToPath(new URL('../../migrations', import.meta.url)), directory, { recursive: true });
});
afterEach(async () => {
  await store.close();
  await database.close();
  await rm(directory, { recursive: true });
});

const nextVersion = async () => String((await migrate(store.sql, { directory })).length + 1).padStart(4, '0');

it('applies once, also when two processes start together', async () => {
  const second = openStore({ url: database.adminUrl, searchPath: 'public' });
  const applied = await Promise.all([migrate(store.sql, { directory }), migrate(second.sql, { directory })]);
  await second.close();
  expect(applied.map((versions) => versions.length).sort()[0]).toBe(0);
  expect(await migrate(store.sql, { directory })).toEqual([]);
});

it('refuses an edited file', async () => {
  await migrate(store.sql, { directory });
  await writeFile(`${directory}/0001_schema.sql`, 'select 1;');
  await expect(migrate(store.sql, { directory })).rejects.toMatchObject({
    name: 'MigrationError',
    code: 'edited',
  });
});

it('refuses a newer schema', async () => {
  const file = `${directory}/${await nextVersion()}_more.sql`;
  await writeFile(file, 'create table tidewatch.more (id integer);');
  await migrate(store.sql, { directory });
  await rm(file);
  await expect(migrate(store.sql, { directory })).rejects.toMatchObject({ code: 'newer_schema' });
});

it('leaves nothing of a migration that fails', async () => {
  await writeFile(
    `${directory}/${await nextVersion()}_bad.sql`,
    'create table tidewatch.half (id integer); select 1 / 0;',
  );
  await expect(migrate(store.sql, { directory })).rejects.toMatchObject({ code: 'failed' });
  const [row] = await store.sql`select to_regclass('tidewatch.half')::text as half`;
  expect(row?.half).toBeNull();
});
