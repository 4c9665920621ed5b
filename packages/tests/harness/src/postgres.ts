import { randomBytes } from 'node:crypto';
import type { GroupRole } from '@tidewatch/store/schema/provision';
import { inject } from 'vitest';
import { asAdmin } from './admin.ts';
import { LOGIN, loginOf } from './logins.ts';
import type { PostgresAddress } from './parts/postgres.ts';

/** A database of one suite. */
export interface TestDatabase {
  name: string;
  /** The URL with a login that has the rights of all group roles and owns nothing. */
  url: string;
  /** The URL with a login of gateway and query API, which row-level security restricts. */
  apiUrl: string;
  /** The URL with a login that has the rights of one group role. */
  urlOfRole(role: GroupRole): string;
  /** The URL as superuser, for example to read what Tidewatch may not see. */
  adminUrl: string;
  /** Closes all connections and drops the database. */
  close(): Promise<void>;
}

/** Creates a database with the newest schema and no rows, which takes some 50 ms of processor time. Close it in `afterAll`. */
export async function startDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('postgres').template);
}

/** Creates a database without a schema for tests of migrations, to be used by `adminUrl`. */
export async function startEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const server = inject('postgres');
  const name = `suite_${randomBytes(6).toString('hex')}`;
  // Copied as files: through the log each of a thousand relations is written block by block, which takes five times the processor time.
  await asAdmin(server, `create database ${name} template ${template} strategy file_copy`);
  return {
    name,
    url: urlOf(server, LOGIN, name),
    apiUrl: urlOf(server, loginOf('tidewatch_api'), name),
    urlOfRole: (role) => urlOf(server, loginOf(role), name),
    adminUrl: urlOf(server, 'postgres', name),
    close: () => asAdmin(server, `drop database if exists ${name} with (force)`),
  };
}

function urlOf(server: PostgresAddress, user: string, database: string): string {
  return `postgres://${user}:${server.password}@${server.host}:${server.port}/${database}`;
}
