import { parseArgs } from 'node:util';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { readConfig, setting } from '@tidewatch/runtime/settings/config';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { z } from 'zod';
import { standaloneSettings } from './config.ts';
import { rebuildInstallation } from './rollups/rebuild-installation.ts';
import { rebuildReport } from './rollups/report.ts';

const USAGE =
  'usage: npm run storage:rebuild-rollups -- [--from YYYY-MM-DD] [--to YYYY-MM-DD] [--repair]\n' +
  'TIDEWATCH_ADMIN_DATABASE_URL names the database; without it that of TIDEWATCH_DATA_DIR is taken.';

const dateSchema = z.iso.date().transform((text) => Date.parse(text));

const logger = createLogger({ name: 'rollups', level: process.env.TIDEWATCH_LOG_LEVEL || 'warn' });
try {
  const { from, to, repairs } = readArguments();
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
  const rebuilt = await rebuildInstallation(installation, { from, to, repairs, now: Date.now() }, logger);
  for (const line of rebuildReport(rebuilt, repairs)) console.log(line);
  if (rebuilt.damaged.length > 0 || (rebuilt.differing > 0 && !repairs)) process.exitCode = 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** The days that begin in `[from, to)`, ms. Throws TypeError for other arguments. */
function readArguments(): { from: number; to: number; repairs: boolean } {
  try {
    const { values } = parseArgs({
      options: { from: { type: 'string' }, to: { type: 'string' }, repair: { type: 'boolean' } },
    });
    return {
      from: values.from === undefined ? Number.NEGATIVE_INFINITY : dateSchema.parse(values.from),
      to: values.to === undefined ? Number.POSITIVE_INFINITY : dateSchema.parse(values.to) + DAY_MS,
      repairs: values.repair === true,
    };
  } catch {
    throw new TypeError(USAGE);
  }
}
