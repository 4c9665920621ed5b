import { resolve } from 'node:path';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { INSTALLATION_USAGE, readInstallation } from './installation/installation.ts';
import { rotateSecrets } from './rotation/rotate-secrets.ts';

const USAGE = `usage: npm run secrets:rotate -- OLD_KEY_FILE NEW_KEY_FILE\n${INSTALLATION_USAGE}`;

const logger = createLogger({ name: 'rotation', level: process.env.TIDEWATCH_LOG_LEVEL || 'info' });
try {
  const [oldKeyFile, newKeyFile, ...more] = process.argv.slice(2);
  if (!oldKeyFile || !newKeyFile || more.length > 0 || oldKeyFile.startsWith('-')) throw new TypeError(USAGE);
  const fromHere = (file: string) => resolve(process.env.INIT_CWD ?? '.', file);
  const { rotated, already } = await rotateSecrets(
    {
      oldKeyFile: fromHere(oldKeyFile),
      newKeyFile: fromHere(newKeyFile),
      ...readInstallation(process.env),
    },
    Date.now(),
    logger,
  );
  console.log(
    `The secrets of ${rotated} channels are encrypted with the new key now, those of ${already} were before. Give every process the new key and start it again.`,
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
