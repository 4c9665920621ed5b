import { randomBytes } from 'node:crypto';
import type { Sql } from '@tidewatch/database/connection';
import { replaceKey, revokeKey } from '@tidewatch/store/keys/replace-key';

// Always the same, so that starts leave no trail of revoked keys: a UUIDv7 of the time 0, which none else has.
const ID = 'key_00000000000070008000000000000001';

/**
 * A key for the agent beside this process, which may do nothing but ingest. Its text is held in memory alone and
 * replaced at each start; without a local agent the last one is revoked and the answer is null.
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
