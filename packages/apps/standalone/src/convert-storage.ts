import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { convertInstallation } from './conversion/convert-installation.ts';
import { INSTALLATION_USAGE, readInstallation } from './installation/installation.ts';

const USAGE = `usage: npm run storage:convert, while Tidewatch runs or is stopped\n${INSTALLATION_USAGE}`;

const logger = createLogger({ name: 'conversion', level: process.env.TIDEWATCH_LOG_LEVEL || 'info' });
try {
  if (process.argv.length > 2) throw new TypeError(USAGE);
  const installation = readInstallation(process.env);
  const { days, dropped } = await convertInstallation(installation, Date.now(), logger);
  console.log(
    `Samples are kept in the layout "log" now. Converted days: ${days}; dropped partitions of rows: ${dropped.length}.`,
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
