import { readConfig, setting } from '@tidewatch/runtime/settings/config';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { z } from 'zod';
import { standaloneSettings } from './config.ts';
import { convertInstallation } from './conversion/convert-installation.ts';

const USAGE =
  'usage: npm run storage:convert, while Tidewatch runs or is stopped\n' +
  'TIDEWATCH_ADMIN_DATABASE_URL names the database; without it that of TIDEWATCH_DATA_DIR is taken.';

const logger = createLogger({ name: 'conversion', level: process.env.TIDEWATCH_LOG_LEVEL || 'info' });
try {
  if (process.argv.length > 2) throw new TypeError(USAGE);
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
    process.env,
  );
  const installation = { databaseUrl: adminDatabaseUrl ?? null, directory: dataDirectory };
  const { days, dropped } = await convertInstallation(installation, Date.now(), logger);
  console.log(
    `Samples are kept in the layout "log" now. Converted days: ${days}; dropped partitions of rows: ${dropped.length}.`,
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
