import { randomBytes } from 'node:crypto';
import { openStore } from '@tidewatch/database/connection';
import type { StorageBackendName } from '@tidewatch/store/backends/storage-backend';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { migrate } from '@tidewatch/store/schema/migrate';
import { inject } from 'vitest';
import { LOGIN, loginOf, makeLogins } from './logins.ts';
import type { TestDatabase } from './postgres.ts';

/**
 * A fresh database with a storage backend, on the TimescaleDB server of the run; must be closed. It keeps samples as new databases do
 * unless `sampleLayout` is given.
 */
export async function startBackendDatabase(
  backend: StorageBackendName,
  sampleLayout?: SampleLayout,
): Promise<TestDatabase> {
  const database = await startEmptyTimescaleDatabase();
  const admin = openStore({ url: database.adminUrl, max: 2, searchPath: 'public' });
  try {
    await migrate(admin.sql, { backend, sampleLayout });
    const password = new URL(database.url).password;
    await makeLogins(admin.sql, decodeURIComponent(password));
  } finally {
    await admin.close();
  }
  return database;
}

/** A fresh database without a schema, on the TimescaleDB server of the run. */
export async function startEmptyTimescaleDatabase(): Promise<TestDatabase> {
  const part = inject('timescale');
  if (part.state === 'lacked') throw new Error(`there is no TimescaleDB: ${part.detail}`);
  const server = part.address.url;
  const name = `suite_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, `create database ${name} template template0 strategy file_copy`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  const urlOf = (login: string) => Object.assign(new URL(url), { username: login }).href;
  return {
    name,
    url: urlOf(LOGIN),
    apiUrl: urlOf(loginOf('tidewatch_api')),
    urlOfRole: (role) => urlOf(loginOf(role)),
    adminUrl: url.href,
    close: () => asAdmin(server, `drop database if exists ${name} with (force)`),
  };
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const admin = openStore({ url, database: 'postgres', max: 1, searchPath: 'public' });
  try {
    await admin.sql.unsafe(statement);
  } finally {
    await admin.close();
  }
}
