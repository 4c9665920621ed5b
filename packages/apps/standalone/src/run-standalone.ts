import { readFileSync } from 'node:fs';
import { setImmediate as untilSpawned } from 'node:timers/promises';
import { readSignOn } from '@tidewatch/query-api/single-sign-on/read-sign-on';
import { run } from '@tidewatch/runtime/process/run';
import { mergeSignals } from '@tidewatch/runtime/process/signals';
import { describeConfig, readConfig } from '@tidewatch/runtime/settings/config';
import { readListening } from '@tidewatch/runtime/settings/http-settings';
import { warnOfUnknownSettings } from '@tidewatch/runtime/settings/misspelt-settings';
import { keepSecretPrivate } from '@tidewatch/runtime/settings/secret-files';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { standaloneSettings } from './config.ts';
import { existingKeyFile } from './data-directory/data-directory.ts';
import { agentEnvironment, startLocalAgent } from './local-agent.ts';
import { type OpenData, openData } from './open-data.ts';
import { cleanUpAfterLoads } from './postgres/clean-up-after-load.ts';
import type { ProductOptions } from './product.ts';
import { banner, localUrl, readyLine } from './start/banner.ts';
import { checkpointSchema } from './start/checkpoint-schema.ts';
import { readStartOptions, USAGE } from './start/options.ts';
import { makeStartLink } from './start/start-link.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** What a program around the product may change, beside its settings. */
export interface StandaloneOptions extends ProductOptions {
  /** Called with the migrated database before anything of the product uses it. */
  prepare?: (database: OpenData['database']) => Promise<void>;
}

/** Runs the single-process product by the arguments, the environment and the signals of `program`. */
export async function runStandalone(
  program: NodeJS.Process,
  { prepare, ...options }: StandaloneOptions = {},
): Promise<void> {
  const level = program.env.TIDEWATCH_LOG_LEVEL || 'info';
  const logger = createLogger({ name: 'tidewatch', level, pretty: program.stdout.isTTY === true });
  await run({
    process: mergeSignals(program, () => performance.now()),
    logger,
    async start(lifecycle) {
      const { help, version: asksVersion, env } = readStartOptions(program.argv.slice(2), program.env);
      if (help || asksVersion) {
        const text = help
          ? `${USAGE}\n${describeConfig('', standaloneSettings).trimStart()}`
          : `tidewatch ${version}\n`;
        program.stdout.write(text);
        program.exit(0);
      }
      const config = readConfig(standaloneSettings, env, (file) => keepSecretPrivate(file, logger));
      warnOfUnknownSettings(env, logger);
      // Refuses certificates and files of groups that cannot be used before anything is opened.
      readListening(config);
      readSignOn(config);
      // The database starts in child processes while this process compiles the other modules.
      const opening = openData(lifecycle, config, logger);
      await Promise.race([opening, untilSpawned()]);
      const [data, { startProduct }] = await Promise.all([opening, import('./product.ts')]);
      await prepare?.(data.database);
      const product = await startProduct(lifecycle, config, data, logger, options);
      const url = localUrl(product.url);
      const keyFile = existingKeyFile(config.dataDirectory);
      // Shown only at the start that created the key, and not on standard output, where programs expect JSON.
      if (!program.stdout.isTTY && product.newKey !== null)
        program.stderr.write(`Admin key, shown only this once: ${product.newKey}\n`);
      // A file or a pipe may be read later by others, who must not find a link that signs in.
      const isShown = program.stdout.isTTY === true && config.signInLink && config.hasKeySignIn;
      const signInUrl = isShown ? await makeStartLink(data.database, { url, config, logger }) : null;
      program.stdout.write(
        program.stdout.isTTY
          ? banner({ url, keyFile, newKey: product.newKey, signInUrl })
          : readyLine({ url, keyFile, version }),
      );
      // Beside what follows, since nothing waits for it.
      void checkpointSchema(data.database, logger);
      const { asAdmin, ingest } = data.database;
      await lifecycle.open(
        'clean-up after loads',
        () => cleanUpAfterLoads({ sql: ingest.sql, asAdmin, logger }),
        (stop) => stop(),
      );
      if (product.localAgentKey !== null) {
        const agentEnv = agentEnvironment(program.env, product.localAgentKey, config.tlsCertFile);
        await lifecycle.open(
          'local agent',
          () =>
            startLocalAgent({ url, logger, env: agentEnv, metrics: (names) => product.metrics.text(names) }),
          (stop) => stop(),
        );
      }
    },
  });
}
