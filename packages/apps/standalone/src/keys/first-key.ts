import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { Sql } from '@tidewatch/database/connection';
import { keyDigest } from '@tidewatch/runtime/auth/authentication';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { type Bootstrapped, bootstrapKey } from '@tidewatch/store/keys/bootstrap';
import { findKey } from '@tidewatch/store/keys/find';
import { adminKeyFile, writeSecret } from '../data-directory/data-directory.ts';

export interface FirstKeyOptions {
  sql: Sql;
  directory: string;
  /** The value of TIDEWATCH_BOOTSTRAP_KEY, if set. */
  given: string | undefined;
  clock: () => number;
  newId: (prefix: IdPrefix) => string;
}

/** Ensures that there is an admin key and its file; returns the key if it has not been shown yet. */
export async function prepareFirstKey(options: FirstKeyOptions): Promise<string | null> {
  const { given, directory } = options;
  const file = adminKeyFile(directory);
  if (given === undefined) {
    return makeKey(options, file);
  }
  await bootstrap(options, given);
  if (readText(file) !== given) {
    writeSecret(file, given);
  }
  return null;
}

// Creates a key. Its file is written before the hash is stored, so that no crash in between leaves an installation whose
// only key is unknown.
async function makeKey(options: FirstKeyOptions, file: string): Promise<string | null> {
  const draft = `${file}.draft`;
  const left = readText(draft);
  if (left !== null && (await findKey(options.sql)(keyDigest(left)))) {
    renameSync(draft, file);
    return left;
  }
  const keyId = options.newId('key');
  const random = randomBytes(32).toString('hex');
  if (readText(file) === null) {
    writeSecret(draft, `tw_${keyId.slice(keyId.indexOf('_') + 1)}_${random}`);
  }
  const newId = (prefix: IdPrefix) => (prefix === 'key' ? keyId : options.newId(prefix));
  const { secret } = await bootstrap({ ...options, newId }, null, () => random);
  if (secret !== null) {
    writeSecret(file, secret);
  }
  rmSync(draft, { force: true });
  return secret;
}

async function bootstrap(
  { sql, clock, newId }: FirstKeyOptions,
  key: string | null,
  randomSecret?: () => string,
): Promise<Bootstrapped> {
  try {
    return await bootstrapKey(sql, { key, now: clock(), newId, ...(randomSecret ? { randomSecret } : {}) });
  } catch (error) {
    if (error instanceof RangeError) {
      throw new StartRefusedError(`TIDEWATCH_BOOTSTRAP_KEY: ${error.message}`);
    }
    throw error;
  }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
