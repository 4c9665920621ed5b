import { openStore, type Sql, type Store, type StoreOptions } from '@tidewatch/database/connection';
import { ping } from '@tidewatch/database/ping';
import { createDatabaseShares, type DatabaseShares } from '@tidewatch/query-api/http/database-share';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { migrate } from '@tidewatch/store/schema/migrate';
import { MigrationError, type MigrationErrorCode } from '@tidewatch/store/schema/migration-error';
import { ensureLogin } from '@tidewatch/store/schema/provision';
import { databaseHome, readPasswords } from './data-directory/data-directory.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import { PostgresUnusableError } from './postgres/unusable.ts';

export const DATABASE = 'tidewatch';

/** The remedy for a data directory with a schema that this version refuses. */
const WAY_OUT: Partial<Record<MigrationErrorCode, string>> = {
  newer_schema:
    ' To export: "npm run backup -- FILE" with the newer copy; to import: "npm run restore -- FILE" ' +
    'into an empty TIDEWATCH_DATA_DIR with a copy at least as new. Nothing was changed.',
  earlier_schema:
    ' In short: "npm run backup -- FILE" with this copy or the earlier one, then "npm run restore -- FILE" with this copy ' +
    'into an empty TIDEWATCH_DATA_DIR.',
};

export interface Database {
  /** The database connections of writer, evaluator, notifier and the streams of events. */
  ingest: Store;
  /** The database connections of the query API and of the check of keys. */
  query: Store;
  /** Divides the connections of `query` between organizations. */
  queryShares: DatabaseShares;
  /** The connection options of `ingest`, for code that opens connections of its own. */
  ingestAddress: StoreOptions;
  /** `18.4` */
  serverVersion: string;
  schemaVersion: number;
  /** Whether this start created or changed the schema. */
  hasMigrated: boolean;
  /** Why the database does not answer, as a list; empty while it does. */
  check: () => Promise<string[]>;
  /** Runs `work` as superuser, for tasks at the start that concern no single organization. */
  asAdmin<R>(work: (sql: Sql) => Promise<R>): Promise<R>;
}

/** Connects as superuser, for provisioning, backup and restore only. */
export function connectAdmin(host: string, port: number, password: string, database: string): Store {
  const searchPath = database === DATABASE ? 'tidewatch' : 'public';
  const who = { user: 'postgres', password, applicationName: 'tidewatch-admin' };
  return openStore({ path: host, port, database, searchPath, ...who, max: 2, statementTimeoutMs: 0 });
}

/** Opens the embedded server of the data directory, without its schema. */
export async function openServer(directory: string, logger: Logger): Promise<EmbeddedPostgres> {
  const log = logger.child({ part: 'postgresql' });
  try {
    return await openEmbeddedPostgres({
      home: databaseHome(directory),
      password: readPasswords(directory).postgres,
      log: (level, text, fields) => (fields === undefined ? log[level](text) : log[level](fields, text)),
    });
  } catch (error) {
    throw error instanceof PostgresUnusableError ? new StartRefusedError(error.message) : error;
  }
}

/** Updates the schema and the logins of a running server. `migrations` is another folder than the store's, if given. */
export async function provision(
  server: EmbeddedPostgres,
  directory: string,
  migrations?: string,
): Promise<Pick<Database, 'serverVersion' | 'schemaVersion' | 'hasMigrated'>> {
  const passwords = readPasswords(directory);
  await createDatabase(server, passwords.postgres);
  const admin = connectAdmin(server.host, server.port, passwords.postgres, DATABASE);
  try {
    const applied = await migrate(admin.sql, migrations === undefined ? {} : { directory: migrations });
    await ensureLogin(admin.sql, 'tidewatch_ingest', passwords.tidewatch_ingest, [
      'tidewatch_writer',
      'tidewatch_evaluator',
      'tidewatch_notifier',
      'tidewatch_investigator',
    ]);
    await ensureLogin(admin.sql, 'tidewatch_query', passwords.tidewatch_query, ['tidewatch_api']);
    const [row] = await admin.sql<{ server: string; schema: number }[]>`
      select split_part(current_setting('server_version'), ' ', 1) as server,
        (select max(version) from public.tidewatch_schema_migrations) as schema`;
    return {
      serverVersion: row?.server ?? '',
      schemaVersion: row?.schema ?? 0,
      hasMigrated: applied.length > 0,
    };
  } catch (error) {
    if (error instanceof MigrationError) {
      throw new StartRefusedError(`${error.message}${WAY_OUT[error.code] ?? ''}`);
    }
    throw error;
  } finally {
    await admin.close();
  }
}

async function createDatabase(server: EmbeddedPostgres, password: string): Promise<void> {
  const maintenance = connectAdmin(server.host, server.port, password, 'postgres');
  try {
    const [existing] = await maintenance.sql`select 1 from pg_database where datname = ${DATABASE}`;
    if (!existing) {
      await maintenance.sql.unsafe(`create database ${DATABASE}`);
    }
  } finally {
    await maintenance.close();
  }
}

/** Opens the database with schema, logins and connection pools; the lifecycle closes it. */
export async function openDatabase(
  lifecycle: Lifecycle,
  directory: string,
  logger: Logger,
): Promise<Database> {
  const server = await lifecycle.open(
    'postgresql',
    () => openServer(directory, logger),
    (part) => part.stop(),
  );
  if (server.endedOrphan) {
    logger.warn('stopped a database server that an earlier process had left running');
  }
  const versions = await provision(server, directory);
  const passwords = readPasswords(directory);
  const addressOf = (user: 'tidewatch_ingest' | 'tidewatch_query') => ({
    path: server.host,
    port: server.port,
    database: DATABASE,
    user,
    password: passwords[user],
  });
  const open = (user: 'tidewatch_ingest' | 'tidewatch_query', options: StoreOptions) =>
    lifecycle.openClosable(`store of ${user}`, () => openStore({ ...addressOf(user), ...options }));
  const asAdmin = async <R>(work: (sql: Sql) => Promise<R>) => {
    const admin = connectAdmin(server.host, server.port, passwords.postgres, DATABASE);
    try {
      return await work(admin.sql);
    } finally {
      await admin.close();
    }
  };
  const queryShares = createDatabaseShares();
  const ingest = await open('tidewatch_ingest', { max: 8 });
  const query = await open('tidewatch_query', {
    max: 10,
    bindsOrganization: true,
    shareOf: queryShares.shareOf,
  });
  return {
    ingest,
    query,
    queryShares,
    ingestAddress: addressOf('tidewatch_ingest'),
    check: () => ping(query.sql),
    asAdmin,
    ...versions,
  };
}
