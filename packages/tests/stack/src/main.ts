import { readFileSync } from 'node:fs';
import { run } from '@tidewatch/runtime/process/run';
import { mergeSignals } from '@tidewatch/runtime/process/signals';
import { describeConfig, readConfig } from '@tidewatch/runtime/settings/config';
import { warnOfUnknownSettings } from '@tidewatch/runtime/settings/misspelt-settings';
import { keepSecretPrivate } from '@tidewatch/runtime/settings/secret-files';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { existingKeyFile } from '@tidewatch/standalone/data-directory/data-directory';
import { banner, readyLine } from '@tidewatch/standalone/start/banner';
import { withOptions } from '@tidewatch/standalone/start/options';
import { readArguments, USAGE } from './arguments.ts';
import { stackSettings } from './config.ts';
import { serviceEnvironment } from './service-environment.ts';
import { startStack } from './stack.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const level = process.env.TIDEWATCH_LOG_LEVEL || 'info';
const logger = createLogger({ name: 'stack', level, pretty: process.stdout.isTTY === true });

await run({
  process: mergeSignals(process, () => performance.now()),
  logger,
  closeWithinMs: 35_000,
  async start(lifecycle) {
    const counts = readArguments(process.argv.slice(2));
    if (counts.help || counts.version) {
      const text = counts.help
        ? `${USAGE}\n${describeConfig('The stack.', stackSettings)}`
        : `tidewatch ${version}\n`;
      process.stdout.write(text);
      process.exit(0);
    }
    const env = withOptions(process.env, counts.given);
    const config = readConfig(stackSettings, env, (file) => keepSecretPrivate(file, logger));
    warnOfUnknownSettings(env, logger);
    const environment = serviceEnvironment(env);
    const { url, newKey } = await startStack(lifecycle, { config, counts, environment, logger });
    const keyFile = existingKeyFile(config.dataDirectory);
    process.stdout.write(
      process.stdout.isTTY
        ? banner({ url, keyFile, newKey, signInUrl: null })
        : readyLine({ url, keyFile, version }),
    );
  },
});
