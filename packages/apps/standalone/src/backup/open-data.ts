import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@tidewatch/database/connection';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { databaseHome, readPasswords } from '../data-directory/data-directory.ts';
import { tryLockDirectory } from '../data-directory/directory-lock.ts';
import { connectAdmin, DATABASE, openServer } from '../database.ts';
import { socketFolder } from '../postgres/socket-folder.ts';

/** Connects to the database of a folder: through the copy of the product that runs on it, otherwise by starting a server. */
export async function openData(
  lifecycle: Lifecycle,
  directory: string,
  now: number,
  logger: Logger,
): Promise<Store> {
  const home = databaseHome(directory);
  if (!existsSync(join(home, 'data'))) {
    throw new StartRefusedError(
      `There is no data in ${directory}. Set TIDEWATCH_DATA_DIR to the folder with the data.`,
    );
  }
  let server = { host: socketFolder(home), port: 5432 };
  const release = tryLockDirectory(directory, now);
  if (release !== null) {
    lifecycle.defer('data directory', release);
    server = await lifecycle.open(
      'postgresql',
      () => openServer(directory, logger),
      (part) => part.stop(),
    );
  }
  const { postgres } = readPasswords(directory);
  return lifecycle.openClosable('connection', () =>
    connectAdmin(server.host, server.port, postgres, DATABASE),
  );
}
