import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@tidewatch/runtime/process/make-folder';

/** Creates the data directory. Others may traverse it, but its contents are private. */
export function makeDataDirectory(directory: string): void {
  makeFolder(directory, 0o711);
}

/** The folder of the embedded database server. */
export const databaseHome = (directory: string) => join(directory, 'postgres');

export const secretKeyFile = (directory: string) => join(directory, 'secret-key');

export const adminKeyFile = (directory: string) => join(directory, 'admin-key');

/** The file of the admin key; null if there is none. */
export function existingKeyFile(directory: string): string | null {
  return existsSync(adminKeyFile(directory)) ? adminKeyFile(directory) : null;
}

/** The trimmed text of a file; null where there is no file. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes a file of mode 0600 atomically. */
export function writeSecret(path: string, text: string): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, `${text}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
}

/** The passwords of the embedded server's logins, created at the first start and stored in a file of mode 0600. */
export interface Passwords {
  postgres: string;
  tidewatch_ingest: string;
  tidewatch_query: string;
}

/** Reads the passwords; creates them if there are none. */
export function readPasswords(directory: string): Passwords {
  const path = join(directory, 'passwords.json');
  const kept = readText(path);
  if (kept !== null) return JSON.parse(kept);
  const random = () => randomBytes(24).toString('base64url');
  const made = { postgres: random(), tidewatch_ingest: random(), tidewatch_query: random() };
  writeSecret(path, JSON.stringify(made));
  return made;
}
