import { keepSecretPrivate } from '@tidewatch/runtime/settings/secret-files';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { readBackupCommand } from './backup/command-line.ts';
import { restore } from './backup/restore.ts';

const logger = createLogger({ name: 'restore', level: process.env.TIDEWATCH_LOG_LEVEL || 'info' });
try {
  const { file, directory } = readBackupCommand(process.argv.slice(2), process.env);
  keepSecretPrivate(file, logger);
  const rows = await restore(directory, file, Date.now, logger);
  console.log(`${rows} rows of ${file} are in ${directory}. The keys of the backed-up installation open it.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
