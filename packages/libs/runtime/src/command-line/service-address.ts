import { isIP } from 'node:net';
import { join } from 'node:path';
import { holdsEllipsis, isPlaceholder, isPlaceholderKey } from '@tidewatch/contracts/problems/placeholder';
import type { Environment } from '../settings/config.ts';
import { PlaceholderError } from './placeholder-error.ts';
import { UsageError } from './usage-error.ts';

export interface Address {
  url: string;
  /** True if the user set the address; false if it is that of the service on this machine. */
  isExplicit: boolean;
}

/** Folders in which `npm start` and `npm run stack` keep their data. */
const DATA_DIRECTORIES = ['.tidewatch', '.tidewatch-stack'];

/** Reads the address from --url or TIDEWATCH_URL, else the address of the service on this machine. */
export function readAddress(option: string | undefined, env: Environment): Address {
  const named = option || env.TIDEWATCH_URL;
  if (named) {
    if (holdsEllipsis(named) || isPlaceholder(named)) throw new PlaceholderError(named);
    if (!URL.canParse(named) || !/^https?:$/.test(new URL(named).protocol))
      throw new UsageError(`${named} is not an http or https address, such as http://127.0.0.1:8230`);
    return { url: named, isExplicit: true };
  }
  const scheme = env.TIDEWATCH_TLS_CERT_FILE ? 'https' : 'http';
  const host = env.TIDEWATCH_HOST || '127.0.0.1';
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const shown = isIP(reachable) === 6 ? `[${reachable}]` : reachable;
  return { url: `${scheme}://${shown}:${env.TIDEWATCH_PORT || 8230}`, isExplicit: false };
}

/** The possible data directories of the service on this machine; one if TIDEWATCH_DATA_DIR is set. */
export function dataDirectories(env: Environment): string[] {
  return env.TIDEWATCH_DATA_DIR ? [env.TIDEWATCH_DATA_DIR] : DATA_DIRECTORIES;
}

/**
 * Reads the key from TIDEWATCH_API_KEY or TIDEWATCH_BOOTSTRAP_KEY, or the file that each with `_FILE` names, or the key
 * file of the data directory, which is never sent to another machine. Undefined without a key. Throws UsageError.
 */
export function readKey(
  address: Address,
  env: Environment,
  readFile: (path: string) => string | null,
): string | undefined {
  for (const name of ['TIDEWATCH_API_KEY', 'TIDEWATCH_BOOTSTRAP_KEY']) {
    const direct = env[name];
    if (direct) return checked(direct, name);
    const file = env[`${name}_FILE`];
    if (!file) continue;
    const text = readFile(file);
    if (text === null) throw new UsageError(`${name}_FILE: ${file} cannot be read`);
    return checked(text.trim(), `${name}_FILE`);
  }
  if (address.isExplicit && !isThisMachine(address.url)) return undefined;
  for (const directory of dataDirectories(env)) {
    const text = readFile(join(directory, 'admin-key'));
    if (text !== null) return checked(text.trim(), join(directory, 'admin-key'));
  }
  return undefined;
}

/** Rejects a key that is not valid in a header, since the error of fetch would quote it. */
function checked(key: string, where: string): string {
  if (isPlaceholderKey(key)) throw new PlaceholderError(where);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError(`${where} contains no valid key: a key is one line of printable ASCII characters`);
}

/** Returns true if the address is that of this machine. */
export function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
