import type { Lifecycle } from '@tidewatch/runtime/lifecycle';
import type { Logger } from '@tidewatch/runtime/logger';
import { StartRefusedError } from '@tidewatch/runtime/run';
import { createSecretBox, type SecretBox } from '@tidewatch/store/secrets/secret-box';
import type { StandaloneConfig } from './config.ts';
import { makeDataDirectory } from './data-directory.ts';
import { type Database, openDatabase } from './database.ts';
import { DirectoryInUseError, lockDirectory } from './directory-lock.ts';
import { keepPrivate } from './private-files.ts';
import { prepareSecretKey } from './secret-key.ts';

/** What the data directory holds, open. */
export interface OpenData {
  database: Database;
  secrets: SecretBox;
}

/** Takes the data directory for this process and opens the database in it. Throws StartRefusedError, e.g. where it is taken. */
export async function openData(
  lifecycle: Lifecycle,
  config: StandaloneConfig,
  logger: Logger,
): Promise<OpenData> {
  const directory = config.dataDirectory;
  await lifecycle.open(
    'data directory',
    () => takeDirectory(directory, Date.now()),
    (release) => release(),
  );
  keepPrivate(directory, logger);
  const secrets = createSecretBox(prepareSecretKey(directory, config.secretKey));
  return { secrets, database: await openDatabase(lifecycle, directory, logger) };
}

function takeDirectory(directory: string, now: number): () => void {
  try {
    makeDataDirectory(directory);
    return lockDirectory(directory, now);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof DirectoryInUseError || code) {
      throw new StartRefusedError(
        code ? `TIDEWATCH_DATA_DIR: ${(error as Error).message}` : (error as Error).message,
      );
    }
    throw error;
  }
}
