import { homedir } from 'node:os';
import { join } from 'node:path';
import { makeNamedFolder } from '@tidewatch/runtime/process/make-folder';

/**
 * A folder that is kept between runs for downloaded or built parts: `$TIDEWATCH_CACHE_DIR/<name>`, otherwise below
 * `$XDG_CACHE_HOME` or `~/.cache`. Created if missing; throws StartRefusedError if that fails.
 */
export function cacheFolder(name: string): string {
  const { TIDEWATCH_CACHE_DIR: own, XDG_CACHE_HOME: users } = process.env;
  const folder = join(own || join(users || join(homedir(), '.cache'), 'tidewatch'), name);
  makeNamedFolder('TIDEWATCH_CACHE_DIR', folder);
  return folder;
}
