import { GrowRefusedError } from '@tidewatch/bus/kafka/topics/grow-topic';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { describeConfig, readConfig } from '@tidewatch/runtime/settings/config';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { keepSecretPrivate } from '@tidewatch/runtime/settings/secret-files';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { MigrationError } from '@tidewatch/store/schema/migration-error';
import { existingKeyFile } from './data-directory/data-directory.ts';
import { readArguments, USAGE } from './migration/arguments.ts';
import { migrateSettings } from './migration/config.ts';
import { growPartitions } from './migration/grow-partitions.ts';
import { migrateInstallation } from './migration/migrate-installation.ts';

const EXPECTED = [ConfigError, MigrationError, StartRefusedError, GrowRefusedError];
const logger = createLogger({ name: 'migrate', level: process.env.TIDEWATCH_LOG_LEVEL || 'info' });

if (process.argv.includes('--help')) {
  process.stdout.write(
    `${USAGE}\n${describeConfig(
      'Brings schema, logins, topics and the first key of an installation up to date.',
      migrateSettings,
    )}`,
  );
} else {
  try {
    const { partitions } = readArguments(process.argv.slice(2));
    const config = readConfig(migrateSettings, process.env, (file) => keepSecretPrivate(file, logger));
    if (partitions !== null) await growPartitions(config, partitions, logger);
    const { newKey } = await migrateInstallation(config, logger);
    const kept = existingKeyFile(config.keyDirectory);
    // Shows the key only on a terminal, because other output is kept in logs.
    if (newKey && process.stdout.isTTY) process.stdout.write(`Admin key, shown only this once: ${newKey}\n`);
    if (kept) logger.info({ file: kept }, 'the admin key is kept in this file');
    logger.info('the installation is up to date');
  } catch (error) {
    const expected = EXPECTED.some((kind) => error instanceof kind);
    if (expected) logger.fatal((error as Error).message);
    else logger.fatal({ err: error }, 'the migration failed');
    process.exitCode = 1;
  }
}
