import { randomBytes } from 'node:crypto';
import { openStore } from '@tidewatch/database/connection';
import { STORAGE_BACKEND_NAMES, type StorageBackendName } from '@tidewatch/store/backends/storage-backend';
import { migrate } from '@tidewatch/store/schema/migrate';
import type { TestProject } from 'vitest/node';
import { asAdmin } from './admin.ts';
import { makeLogins } from './logins.ts';
import { openPart } from './parts/part.ts';
import { type PostgresAddress, postgresSource } from './parts/postgres.ts';
import { recordPart } from './parts/report.ts';
import { layoutOf } from './suite/sample-layout.ts';

/** The address of the run's server, and the template of the suites' databases. */
export interface ProvidedPostgres extends PostgresAddress {
  template: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: ProvidedPostgres;
  }
}

interface Running {
  users: number;
  server: Promise<{ provided: ProvidedPostgres; close(): Promise<void> }>;
}

// The key under which the server is shared: every project of a run calls this setup, each in its own module graph.
const KEY = Symbol.for('tidewatch.harness.postgres');
const shared = globalThis as unknown as Record<symbol, Running | undefined>;

/**
 * Vitest's global setup: one PostgreSQL server for the run with a migrated template database, which suites get by `inject`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared[KEY] ??= { users: 0, server: start() };
  const running = shared[KEY];
  running.users += 1;
  const server = await running.server;
  project.provide('postgres', server.provided);
  return async () => {
    running.users -= 1;
    if (running.users === 0) {
      shared[KEY] = undefined;
      await server.close();
    }
  };
}

async function start() {
  const { part, close } = await openPart(postgresSource);
  recordPart({ ...part, name: postgresSource.name });
  if (part.state === 'lacked') throw new Error(`There is no PostgreSQL to test with: ${part.detail}`);
  // A unique name for the template, because another run may use the same server at the same time.
  const provided = { ...part.address, template: `tidewatch_template_${randomBytes(4).toString('hex')}` };
  await makeTemplate(provided);
  return {
    provided,
    close: async () => {
      await asAdmin(provided, `drop database if exists ${provided.template} with (force)`);
      await close();
    },
  };
}

async function makeTemplate(server: ProvidedPostgres): Promise<void> {
  await asAdmin(server, `create database ${server.template}`);
  const template = openStore({
    ...server,
    user: 'postgres',
    database: server.template,
    max: 2,
    searchPath: 'public',
  });
  await migrate(template.sql, {
    backend: backendOf(process.env.TIDEWATCH_TEST_STORAGE_BACKEND),
    sampleLayout: layoutOf(process.env.TIDEWATCH_TEST_SAMPLE_LAYOUT),
  });
  await makeLogins(template.sql, server.password);
  await template.close();
  await isolate(server);
}

/** Keeps background workers of an extension out of the template, which could not be copied while they use it. */
async function isolate(server: ProvidedPostgres): Promise<void> {
  await asAdmin(server, `alter database ${server.template} allow_connections false`);
  await asAdmin(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${server.template}'`,
  );
}

/** The storage backend of the run's databases; undefined for the fullest one that the server offers. */
function backendOf(given: string | undefined): StorageBackendName | undefined {
  if (!given) return undefined;
  const backend = STORAGE_BACKEND_NAMES.find((name) => name === given);
  if (backend === undefined)
    throw new Error(`TIDEWATCH_TEST_STORAGE_BACKEND must be one of ${STORAGE_BACKEND_NAMES.join(', ')}`);
  return backend;
}
