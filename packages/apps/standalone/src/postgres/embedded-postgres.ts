import { writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from '@tidewatch/runtime/process/make-folder';
import { findBinaries } from './binaries.ts';
import { createCluster, hasCluster } from './cluster.ts';
import { chooseRunner, giveTree } from './identity.ts';
import { keepRunning } from './keep-running.ts';
import { endOrphan } from './pid-file.ts';
import { releaseReserve, spaceOf } from './reserve.ts';
import { type LogLine, startServer } from './server-process.ts';
import { serverSettings, settingsFile } from './settings.ts';
import { makeSocketFolder, socketFolder } from './socket-folder.ts';

export interface EmbeddedPostgresOptions {
  /** The folder of the server, created if it is missing; the cluster is `<home>/data`. */
  home: string;
  /** The password of the superuser `postgres`, set when the cluster is created. */
  password: string;
  log: LogLine;
  /** For tests: a port of 127.0.0.1 instead of the unix socket, and no fsync. */
  throwaway?: { port: number };
}

export interface EmbeddedPostgres {
  /** The host for database drivers: the folder of the socket, or an address. */
  host: string;
  port: number;
  /** Whether this start created the cluster. */
  created: boolean;
  /** Whether a server that a killed copy had left behind was ended first. */
  endedOrphan: boolean;
  stop(): Promise<void>;
}

/**
 * Opens the PostgreSQL server of a folder: creates the cluster if there is none, ends a server that a killed copy left
 * running, and starts the server as a user that PostgreSQL accepts. The server ends with this process. Throws
 * PostgresUnusableError, for example for data of another version.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = resolve(options.home);
  const cluster = join(home, 'data');
  makeFolder(home, 0o700);
  const installed = findBinaries();
  const exists = hasCluster(cluster);
  const endedOrphan = exists && (await endOrphan(cluster));
  const { identity, binaries } = chooseRunner(installed, home);
  if (!exists) {
    createCluster(binaries.initdb, home, options.password, identity, !options.throwaway);
  }
  const socketDirectory = socketFolder(home);
  if (!options.throwaway) {
    const owners = [process.getuid?.() ?? 0, ...(identity.owner === null ? [] : [identity.owner.uid])];
    makeSocketFolder(socketDirectory, home, owners);
    giveTree(identity, socketDirectory);
  }
  const listen = options.throwaway ?? { socketDirectory };
  function makeRoom(): void {
    if (releaseReserve(home)) {
      options.log('warn', 'the disk is full: the reserved space was released for the database');
    }
  }
  makeRoom();
  const settings = serverSettings({
    listen,
    durable: !options.throwaway,
    diskBytes: spaceOf(home).total,
    platform: process.platform,
    release: release(),
  });
  writeFileSync(join(cluster, 'postgresql.conf'), settingsFile(settings));
  const start = () => startServer(binaries.postgres, cluster, identity, options.log);
  const cleanUp = async () => {
    await endOrphan(cluster);
    makeRoom();
  };
  const keeper = await keepRunning(start, cleanUp, options.log);
  return {
    host: options.throwaway ? '127.0.0.1' : socketDirectory,
    port: options.throwaway?.port ?? 5432,
    created: !exists,
    endedOrphan,
    stop: keeper.stop,
  };
}
