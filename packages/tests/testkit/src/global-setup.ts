import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '@tidewatch/standalone/postgres/embedded-postgres';
import { openStore } from '@tidewatch/store/connection';
import { EDITION_NAMES, type EditionName } from '@tidewatch/store/editions/edition';
import { migrate } from '@tidewatch/store/migrate';
import { ensureLogin } from '@tidewatch/store/provision';
import type { TestProject } from 'vitest/node';

/** What the run's server is reached by; suites get it through vitest's `inject`. */
export interface ProvidedPostgres {
  host: string;
  port: number;
  password: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: ProvidedPostgres;
  }
}

export const TEMPLATE = 'tidewatch_template';
export const LOGIN = 'tidewatch_test';

interface Running {
  users: number;
  server: Promise<{ provided: ProvidedPostgres; close(): Promise<void> }>;
}

// Every project of a run calls this module's setup, each in a module graph of its own: one server serves them all.
const KEY = Symbol.for('tidewatch.testkit.postgres');
const shared = globalThis as unknown as Record<symbol, Running | undefined>;

/**
 * Vitest's global setup: one postmaster for the run, or the server of TIDEWATCH_TEST_POSTGRES_URL, with a
 * migrated template database.
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
  const given = process.env.TIDEWATCH_TEST_POSTGRES_URL;
  return given ? useServer(new URL(given)) : startServer();
}

/** A server that runs already, of whatever version: `postgres://postgres:PASSWORD@HOST:PORT`, its superuser. */
async function useServer(url: URL) {
  const provided: ProvidedPostgres = {
    host: url.hostname,
    port: Number(url.port || 5432),
    password: decodeURIComponent(url.password),
  };
  await makeTemplate(provided);
  return { provided, close: async () => {} };
}

async function startServer() {
  const home = await mkdtemp(join(tmpdir(), 'tidewatch-test-'));
  await chmod(home, 0o755);
  const password = randomUUID();
  const server = await openOnFreePort(join(home, 'postgres'), password);
  const provided: ProvidedPostgres = { host: server.host, port: server.port, password };
  await makeTemplate(provided);
  return {
    provided,
    close: async () => {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function openOnFreePort(home: string, password: string): Promise<EmbeddedPostgres> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openEmbeddedPostgres({
        home,
        password,
        log: () => {},
        throwaway: { port: await freePort() },
      });
    } catch (error) {
      if (attempt === 4) {
        throw error; // else another program took the port between our look and PostgreSQL's
      }
    }
  }
}

async function makeTemplate(server: ProvidedPostgres): Promise<void> {
  const admin = openStore({
    ...server,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    searchPath: 'public',
  });
  await admin.sql.unsafe(`drop database if exists ${TEMPLATE} with (force)`);
  await admin.sql.unsafe(`create database ${TEMPLATE}`);
  await admin.close();
  const template = openStore({
    ...server,
    user: 'postgres',
    database: TEMPLATE,
    max: 2,
    searchPath: 'public',
  });
  await migrate(template.sql, { edition: editionOf(process.env.TIDEWATCH_TEST_EDITION) });
  await ensureLogin(template.sql, LOGIN, server.password, [
    'tidewatch_writer',
    'tidewatch_evaluator',
    'tidewatch_api',
  ]);
  await template.close();
  await isolate(server);
}

/** Keeps the background workers of an extension out of the template, which could not be copied with them inside. */
async function isolate(server: ProvidedPostgres): Promise<void> {
  const admin = openStore({
    ...server,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    searchPath: 'public',
  });
  await admin.sql.unsafe(`alter database ${TEMPLATE} allow_connections false`);
  await admin.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${TEMPLATE}`;
  await admin.close();
}

/** The edition that the run's databases are made as; undefined for the fullest that the server offers. */
function editionOf(given: string | undefined): EditionName | undefined {
  if (!given) return undefined;
  const edition = EDITION_NAMES.find((name) => name === given);
  if (edition === undefined) throw new Error(`TIDEWATCH_TEST_EDITION is none of ${EDITION_NAMES.join(', ')}`);
  return edition;
}
