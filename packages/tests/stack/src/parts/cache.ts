import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeNamedFolder } from '@tidewatch/runtime/process/make-folder';

/**
 * A folder that outlives runs, for parts that were fetched or built once: `$TIDEWATCH_CACHE_DIR/<name>`, else below
 * `$XDG_CACHE_HOME` or `~/.cache`. Made when missing; throws StartRefusedError where it cannot be.
 */
export function cacheFolder(name: string): string {
  const { TIDEWATCH_CACHE_DIR: own, XDG_CACHE_HOME: users } = process.env;
  const folder = join(own || join(users || join(homedir(), '.cache'), 'tidewatch'), name);
  makeNamedFolder('TIDEWATCH_CACHE_DIR', folder);
  return folder;
}
