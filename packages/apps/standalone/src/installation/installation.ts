import { openStore, type Store, type StoreOptions } from '@tidewatch/database/connection';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import { readConfig, setting } from '@tidewatch/runtime/settings/config';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { z } from 'zod';
import { openData } from '../backup/open-data.ts';
import { standaloneSettings } from '../config.ts';

/** Where the data lies on which a command of the operator works. */
export interface Installation {
  /** The URL of the database, with a role that reads all organizations and owns the schema; null for the database of `directory`. */
  databaseUrl: string | null;
  directory: string;
}

/** What a usage text says of the settings that `readInstallation` reads. */
export const INSTALLATION_USAGE =
  'TIDEWATCH_ADMIN_DATABASE_URL names the database; without it that of TIDEWATCH_DATA_DIR is taken.';

/** Reads from the settings where the data lies. Throws ConfigError. */
export function readInstallation(env: NodeJS.ProcessEnv): Installation {
  const { adminDatabaseUrl, dataDirectory } = readConfig(
    {
      adminDatabaseUrl: setting({
        env: 'TIDEWATCH_ADMIN_DATABASE_URL',
        schema: z
          .string()
          .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
          .optional(),
        meaning: 'The database as a role that reads all organizations and owns the schema.',
        example: 'postgres://postgres:secret@db:5432/tidewatch',
        secret: true,
      }),
      dataDirectory: standaloneSettings.dataDirectory,
    },
    env,
  );
  return { databaseUrl: adminDatabaseUrl ?? null, directory: dataDirectory };
}

/** Opens the database of an installation, whether it runs or not. Throws StartRefusedError if its directory has no data. `now`: ms. */
export function openInstallation(
  lifecycle: Lifecycle,
  { databaseUrl, directory }: Installation,
  options: Omit<StoreOptions, 'url'> & { now: number; logger: Logger },
): Promise<Store> {
  const { now, logger, ...ofStore } = options;
  if (databaseUrl === null) return openData(lifecycle, directory, now, logger);
  return lifecycle.openClosable('store', () => openStore({ ...ofStore, url: databaseUrl }));
}
