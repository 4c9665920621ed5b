import { existsSync, readFileSync } from 'node:fs';
import type { IdPrefix } from '@tidewatch/contracts/id';
import { StartRefusedError } from '@tidewatch/runtime/run';
import type { Sql } from '@tidewatch/store/connection';
import { bootstrapKey } from '@tidewatch/store/keys/bootstrap';
import { adminKeyFile, writeSecret } from './data-directory.ts';

export interface FirstKeyOptions {
  sql: Sql;
  directory: string;
  /** TIDEWATCH_BOOTSTRAP_KEY, where it is set. */
  given: string | undefined;
  clock: () => number;
  newId: (prefix: IdPrefix) => string;
}

/** Makes sure of an admin key and of the file that holds it; answers the key when this start made it. */
export async function prepareFirstKey(options: FirstKeyOptions): Promise<string | null> {
  const { sql, directory, given, clock, newId } = options;
  const file = adminKeyFile(directory);
  // Written before its hash is stored, so that no crash leaves an installation whose only key nobody knows.
  const pending = `${file}.new`;
  let secret: string | null = null;
  const key = given ?? null;
  try {
    const made = await bootstrapKey(sql, { key, now: clock(), newId });
    secret = made.secret;
  } catch (error) {
    throw error instanceof RangeError ? new StartRefusedError(`TIDEWATCH_BOOTSTRAP_KEY: ${error.message}`) : error;
  }
  void pending;
  const text = given ?? secret;
  if (text !== null && text !== undefined && readText(file) !== text) {
    writeSecret(file, text);
  }
  return secret;
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}
