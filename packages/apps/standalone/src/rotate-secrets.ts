import { resolve } from 'node:path';
import { readConfig, setting } from '@tidewatch/runtime/settings/config';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { z } from 'zod';
import { standaloneSettings } from './config.ts';
import { rotateSecrets } from './rotation/rotate-secrets.ts';

const USAGE =
  'usage: npm run secrets:rotate -- OLD_KEY_FILE NEW_KEY_FILE\n' +
  'TIDEWATCH_ADMIN_DATABASE_URL names the database; without it that of TIDEWATCH_DATA_DIR is taken.';

const logger = createLogger({ name: 'rotation', level: process.env.TIDEWATCH_LOG_LEVEL || 'info' });
try {
  const [oldKeyFile, newKeyFile, ...more] = process.argv.slice(2);
  if (!oldKeyFile || !newKeyFile || more.length > 0 || oldKeyFile.startsWith('-')) throw new TypeError(USAGE);
  const { adminDatabaseUrl, dataDirectory } = readConfig(
    {
      adminDatabaseUrl: setting({
        env: 'TIDEWATCH_ADMIN_DATABASE_URL',
        schema: z
          .string()
          .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
          .optional(),
        meaning: 'The database as a role that reads all organizations.',
        example: 'postgres://postgres:secret@db:5432/tidewatch',
        secret: true,
      }),
      dataDirectory: standaloneSettings.dataDirectory,
    },
    process.env,
  );
  const fromHere = (file: string) => resolve(process.env.INIT_CWD ?? '.', file);
  const { rotated, already } = await rotateSecrets(
    {
      oldKeyFile: fromHere(oldKeyFile),
      newKeyFile: fromHere(newKeyFile),
      databaseUrl: adminDatabaseUrl ?? null,
      directory: dataDirectory,
    },
    Date.now(),
    logger,
  );
  console.log(
    `The secrets of ${rotated} channels are encrypted with the new key now, those of ${already} were before. Give every process the new key and start it again.`,
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
