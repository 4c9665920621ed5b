import { randomBytes } from 'node:crypto';
import type { Sql } from '@tidewatch/database/connection';
import { replaceKey, revokeKey } from '@tidewatch/store/keys/replace-key';

// A constant id, so that starts leave no revoked keys behind: a UUIDv7 of the time 0, which no other key has.
const ID = 'key_00000000000070008000000000000001';

/**
 * Creates the key of the local agent, which may only ingest. Its text is only in memory and replaced at each start. Without
 * a local agent, revokes the last key and returns null.
 */
export async function prepareLocalAgentKey(
  sql: Sql,
  wanted: boolean,
  clock: () => number,
): Promise<string | null> {
  if (!wanted) {
    await revokeKey(sql, ID, clock());
    return null;
  }
  const text = `tw_${ID.slice('key_'.length)}_${randomBytes(32).toString('hex')}`;
  await replaceKey(sql, { id: ID, name: 'local agent', scopes: ['ingest'], text, now: clock() });
  return text;
}
