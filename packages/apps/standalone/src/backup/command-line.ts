import { resolve } from 'node:path';
import { type Environment, readConfig } from '@tidewatch/runtime/settings/config';
import { standaloneSettings } from '../config.ts';

/**
 * Reads the arguments of `npm run backup` and `npm run restore`: the file, relative to where npm was called, and the
 * folder.
 */
export function readBackupCommand(
  args: readonly string[],
  env: Environment,
): { file: string; directory: string } {
  const [file, ...more] = args;
  if (!file || more.length > 0 || file.startsWith('-')) {
    throw new TypeError('usage: npm run backup -- FILE, npm run restore -- FILE');
  }
  const { dataDirectory } = readConfig({ dataDirectory: standaloneSettings.dataDirectory }, env);
  return { file: resolve(env.INIT_CWD ?? '.', file), directory: dataDirectory };
}
