import { describeConfig, readConfig } from '@tidewatch/runtime/config';
import { createLogger } from '@tidewatch/runtime/logger';
import { run } from '@tidewatch/runtime/run';
import { banner, localUrl } from './banner.ts';
import { standaloneSettings } from './config.ts';
import { existingKeyFile } from './data-directory.ts';
import { agentEnvironment, startLocalAgent } from './local-agent.ts';
import { startProduct } from './product.ts';
import { mergeSignals } from './signals.ts';

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
    const config = readConfig(standaloneSettings, process.env);
    const product = await startProduct(lifecycle, config, logger);
    const url = localUrl(product.url);
    const keyFile = existingKeyFile(config.dataDirectory);
    process.stdout.write(banner({ url, keyFile, newKey: product.newKey }));
    if (config.localAgent && !keyFile) {
      logger.warn('the local agent is not started: no file in the data directory holds a key');
    } else if (config.localAgent && keyFile) {
      const env = agentEnvironment(process.env, config.tlsCertFile);
      await lifecycle.open(
        'local agent',
        () => startLocalAgent({ url, keyFile, logger, env }),
        (stop) => stop(),
      );
    }
  },
});
