import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { createSecretBox, type SecretBox } from '@tidewatch/store/secrets/secret-box';
import type { StandaloneConfig } from './config.ts';
import { keepPrivate } from './data-directory/private-files.ts';
import { prepareSecretKey } from './data-directory/secret-key.ts';
import { takeDirectory } from './data-directory/take-directory.ts';
import { type Database, openDatabase } from './database.ts';

/** The opened data directory. */
export interface OpenData {
  database: Database;
  secrets: SecretBox;
}

/**
 * Locks the data directory for this process and opens its database. Throws StartRefusedError, for example if it is in use.
 */
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
