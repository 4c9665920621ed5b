import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder that outlives runs, for parts that were fetched or built once: `$TIDEWATCH_CACHE_DIR/<name>`, else below
 * `$XDG_CACHE_HOME` or `~/.cache`. Made when missing.
 */
export function cacheFolder(name: string): string {
  const { TIDEWATCH_CACHE_DIR: own, XDG_CACHE_HOME: users } = process.env;
  const folder = join(own || join(users || join(homedir(), '.cache'), 'tidewatch'), name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
