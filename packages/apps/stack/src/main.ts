import { describeConfig, readConfig } from '@tidewatch/runtime/config';
import { createLogger } from '@tidewatch/runtime/logger';
import { run } from '@tidewatch/runtime/run';
import { keepSecretPrivate } from '@tidewatch/runtime/secret-files';
import { mergeSignals } from '@tidewatch/runtime/signals';
import { banner } from '@tidewatch/standalone/banner';
import { existingKeyFile } from '@tidewatch/standalone/data-directory';
import { readArguments, USAGE } from './arguments.ts';
import { stackSettings } from './config.ts';
import { serviceEnvironment } from './service-environment.ts';
import { startStack } from './stack.ts';

if (process.argv.includes('--help')) {
  process.stdout.write(`${USAGE}\n${describeConfig('The stack.', stackSettings)}`);
  process.exit(0);
}
const level = process.env.TIDEWATCH_LOG_LEVEL || 'info';
const logger = createLogger({ name: 'stack', level, pretty: process.stdout.isTTY === true });

await run({
  process: mergeSignals(process, () => performance.now()),
  logger,
  closeWithinMs: 35_000,
  async start(lifecycle) {
    const counts = readArguments(process.argv.slice(2));
    const config = readConfig(stackSettings, process.env, (file) => keepSecretPrivate(file, logger));
    const environment = serviceEnvironment(process.env);
    const { url, newKey } = await startStack(lifecycle, { config, counts, environment, logger });
    process.stdout.write(banner({ url, keyFile: existingKeyFile(config.dataDirectory), newKey }));
  },
});
