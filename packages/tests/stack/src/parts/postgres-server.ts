import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@tidewatch/runtime/process/make-folder';
import type { PostgresBinaries } from '@tidewatch/standalone/postgres/binaries';
import { chooseRunner, type Identity, SERVER_ENVIRONMENT } from '@tidewatch/standalone/postgres/identity';
import { endOrphan } from '@tidewatch/standalone/postgres/pid-file';
import { startServer } from '@tidewatch/standalone/postgres/server-process';
import { settingsFile, WORKLOAD_SETTINGS } from '@tidewatch/standalone/postgres/settings';
import { freePort } from './free-port.ts';

export interface PostgresServerOptions {
  binaries: PostgresBinaries;
  /** The folder of the server; its data is kept for later starts. */
  home: string;
  /** The password of the superuser `postgres`, set when the cluster is created. */
  password: string;
  port?: number;
  /** True if TimescaleDB is installed with the programs and shall be loaded. */
  timescale?: boolean;
  log?: (text: string) => void;
}

export interface PostgresServer {
  host: string;
  port: number;
  pid: number;
  ended: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Settings for TimescaleDB, with enough background workers: one for each database, some for policies, and PostgreSQL's own.
 */
const TIMESCALE_SETTINGS = {
  shared_preload_libraries: 'timescaledb',
  'timescaledb.telemetry_level': 'off',
  max_worker_processes: '48',
};

/** Starts PostgreSQL 15 or later on a port of 127.0.0.1, with durable settings. Ends with this process. */
export async function startPostgres(options: PostgresServerOptions): Promise<PostgresServer> {
  const { home, password } = options;
  const port = options.port ?? (await freePort());
  const cluster = join(home, 'data');
  makeFolder(home, 0o700);
  const exists = existsSync(join(cluster, 'PG_VERSION'));
  if (exists) await endOrphan(cluster);
  const { identity, binaries } = chooseRunner(options.binaries, home);
  if (!exists) initialise(binaries.initdb, home, cluster, password, identity);
  const settings = {
    ...WORKLOAD_SETTINGS,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    ...(options.timescale && TIMESCALE_SETTINGS),
  };
  writeFileSync(join(cluster, 'postgresql.conf'), settingsFile(settings));
  const server = await startServer(binaries.postgres, cluster, identity, (_level, text) =>
    options.log?.(text),
  );
  return { host: '127.0.0.1', port, pid: server.pid, ended: server.ended, stop: () => server.stop() };
}

function initialise(
  initdb: string,
  home: string,
  cluster: string,
  password: string,
  identity: Identity,
): void {
  const passwordFile = join(home, 'password.tmp');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity.owner) chownSync(passwordFile, identity.owner.uid, identity.owner.gid);
  const options = ['--username=postgres', '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C'];
  const command = [...identity.prefix, initdb, `--pgdata=${cluster}`, `--pwfile=${passwordFile}`, ...options];
  const done = spawnSync(command[0] as string, command.slice(1), {
    ...identity.spawn,
    cwd: '/',
    encoding: 'utf8',
    env: SERVER_ENVIRONMENT,
  });
  rmSync(passwordFile, { force: true });
  if (done.status !== 0) {
    throw new Error(`initdb failed:\n${done.stderr || done.stdout || done.error?.message || ''}`);
  }
}
