import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Sql } from '@tidewatch/database/connection';
import { keyDigest } from '@tidewatch/runtime/auth/authentication';
import { findKey } from '@tidewatch/store/keys/find';
import { replaceKey } from '@tidewatch/store/keys/replace-key';
import { makeDataDirectory, readText, writeSecret } from '../data-directory/data-directory.ts';

// A constant id, a UUIDv7 of the time 0, so that a new key replaces one whose file was lost.
const ID = 'key_00000000000070008000000000000002';

/** Ensures that there is a key with the scope `ingest` and its file `agent-key`. Can be repeated. */
export async function prepareAgentKey(sql: Sql, directory: string, clock: () => number): Promise<void> {
  makeDataDirectory(directory);
  const file = join(directory, 'agent-key');
  const kept = readText(file);
  if (kept !== null && (await findKey(sql)(keyDigest(kept)))) return;
  const text = kept ?? `tw_${ID.slice('key_'.length)}_${randomBytes(32).toString('hex')}`;
  if (kept === null) writeSecret(file, text);
  await replaceKey(sql, { id: ID, name: 'agent', scopes: ['ingest'], text, now: clock() });
}
