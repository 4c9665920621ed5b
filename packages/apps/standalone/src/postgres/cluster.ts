import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Identity, SERVER_ENVIRONMENT } from './identity.ts';
import { PostgresUnusableError } from './unusable.ts';

/** The major version of the PostgreSQL binaries that this version of the product includes. */
export const POSTGRES_MAJOR = 18;

/** Whether the folder contains a complete cluster; throws PostgresUnusableError for one of another version. */
export function hasCluster(cluster: string): boolean {
  const file = join(cluster, 'PG_VERSION');
  if (!existsSync(file)) {
    return false;
  }
  const major = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (major !== POSTGRES_MAJOR) {
    throw new PostgresUnusableError(
      `The data in ${cluster} was written by PostgreSQL ${major}, and this copy of Tidewatch brings PostgreSQL ${POSTGRES_MAJOR}. ` +
        'To move it: with the copy of Tidewatch that wrote it run "npm run backup -- FILE", then point TIDEWATCH_DATA_DIR ' +
        'to an empty folder and run "npm run restore -- FILE" with this one. Nothing was changed.',
    );
  }
  return true;
}

/**
 * Creates a new cluster `<home>/data` for the user of `identity`. It is renamed into place at the end, so that an
 * interrupted first start leaves none. `fsync` is only disabled in tests.
 */
export function createCluster(
  initdb: string,
  home: string,
  password: string,
  identity: Identity,
  fsync: boolean,
): void {
  const making = join(home, 'making');
  const passwordFile = join(home, 'password.tmp');
  rmSync(making, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity.owner) {
    chownSync(passwordFile, identity.owner.uid, identity.owner.gid);
  }
  const command = [
    ...identity.prefix,
    initdb,
    `--pgdata=${making}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    ...(fsync ? [] : ['--no-sync']),
  ];
  const done = spawnSync(command[0] as string, command.slice(1), {
    ...identity.spawn,
    cwd: '/',
    encoding: 'utf8',
    env: SERVER_ENVIRONMENT,
  });
  rmSync(passwordFile, { force: true });
  if (done.status !== 0) {
    throw new PostgresUnusableError(
      `initdb failed:\n${done.stderr || done.stdout || done.error?.message || ''}`,
    );
  }
  renameSync(making, join(home, 'data'));
}
