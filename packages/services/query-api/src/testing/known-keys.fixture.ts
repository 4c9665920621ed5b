import { keyRecordOf } from '@tidewatch/contracts/keys/key-record.fixture';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { newId } from '@tidewatch/contracts/values/id';
import { keyDigest } from '@tidewatch/runtime/auth/authentication';

/** Keys in memory; each change raises a counter, as in the database. */
class KnownKeys extends Map<string, KeyRecord> {
  changes = 0;

  override set(digest: string, key: KeyRecord): this {
    // The constructor of Map calls this before the field exists.
    this.changes = (this.changes ?? 0) + 1;
    return super.set(digest, key);
  }
}

/** The keys of two organizations, by their digests; each has the text of its name. */
export function knownKeys(mine: string, theirs: string): KnownKeys {
  const key = (
    name: string,
    organizationId: string,
    scopes: KeyRecord['scopes'],
    rateLimitPerMinute: number | null = null,
  ): [string, KeyRecord] => [
    keyDigest(name),
    keyRecordOf({ id: newId('key'), organizationId, name, scopes, rateLimitPerMinute }),
  ];
  return new KnownKeys([
    key('admin', mine, ['admin']),
    key('operator', mine, ['admin', 'operator']),
    key('reader', mine, ['read']),
    key('agent', mine, ['ingest']),
    key('limited', mine, ['read'], 2),
    key('stranger', theirs, ['admin']),
  ]);
}
