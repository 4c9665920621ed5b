import { randomBytes } from 'node:crypto';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { describeConfig, readConfig } from '@tidewatch/runtime/settings/config';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { secretsSettings } from './secrets/config.ts';
import { makeSecrets } from './secrets/make-secrets.ts';

const logger = createLogger({ name: 'secrets', level: process.env.TIDEWATCH_LOG_LEVEL || 'info' });

if (process.argv.includes('--help')) {
  process.stdout.write(
    describeConfig('Makes the passwords and the key of an installation, once.', secretsSettings),
  );
} else {
  try {
    const config = readConfig(secretsSettings, process.env);
    const newPassword = () => randomBytes(24).toString('base64url');
    const newSecretKey = () => randomBytes(32).toString('hex');
    const made = makeSecrets({ ...config, newPassword, newSecretKey });
    if (made.length > 0) logger.info({ files: made }, 'secrets were made; they are kept in these files');
    else logger.info('all secrets exist already; none was created');
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StartRefusedError) logger.fatal(error.message);
    else logger.fatal({ err: error }, 'the secrets could not be created');
    process.exitCode = 1;
  }
}
