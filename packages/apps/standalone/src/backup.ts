import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { backUp } from './backup/backup.ts';
import { readBackupCommand } from './backup/command-line.ts';

const logger = createLogger({ name: 'backup', level: process.env.TIDEWATCH_LOG_LEVEL || 'info' });
try {
  const { file, directory } = readBackupCommand(process.argv.slice(2), process.env);
  await backUp(directory, file, Date.now, logger);
  console.log(`Everything in ${directory} is in ${file}.`);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
