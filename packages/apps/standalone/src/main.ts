import { setImmediate as untilSpawned } from 'node:timers/promises';
import { describeConfig, readConfig } from '@tidewatch/runtime/config';
import { readListening } from '@tidewatch/runtime/http-settings';
import { createLogger } from '@tidewatch/runtime/logger';
import { run } from '@tidewatch/runtime/run';
import { keepSecretPrivate } from '@tidewatch/runtime/secret-files';
import { mergeSignals } from '@tidewatch/runtime/signals';
import { banner, localUrl } from './banner.ts';
import { standaloneSettings } from './config.ts';
import { existingKeyFile } from './data-directory.ts';
import { agentEnvironment, startLocalAgent } from './local-agent.ts';
import { openData } from './open-data.ts';

if (process.argv.includes('--help')) {
  process.stdout.write(
    describeConfig('Tidewatch in one process, on an embedded PostgreSQL.', standaloneSettings),
  );
  process.exit(0);
}
const level = process.env.TIDEWATCH_LOG_LEVEL || 'info';
const logger = createLogger({ name: 'tidewatch', level, pretty: process.stdout.isTTY === true });

await run({
  process: mergeSignals(process, () => performance.now()),
  logger,
  async start(lifecycle) {
    const config = readConfig(standaloneSettings, process.env, (file) => keepSecretPrivate(file, logger));
    const address = readListening(config);
    // The database recovers in processes of its own while this one compiles the rest of the product, once they are spawned.
    const opening = openData(lifecycle, config, logger);
    await Promise.race([opening, untilSpawned()]);
    const [data, { startProduct }] = await Promise.all([opening, import('./product.ts')]);
    const product = await startProduct(lifecycle, config, { ...data, address }, logger);
    const url = localUrl(product.url);
    const keyFile = existingKeyFile(config.dataDirectory);
    process.stdout.write(banner({ url, keyFile, newKey: product.newKey }));
    if (product.localAgentKey !== null) {
      const env = agentEnvironment(process.env, product.localAgentKey, config.tlsCertFile);
      await lifecycle.open(
        'local agent',
        () => startLocalAgent({ url, logger, env, metrics: (names) => product.metrics.text(names) }),
        (stop) => stop(),
      );
    }
  },
});
