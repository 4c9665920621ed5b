import type { Schema } from '@tidewatch/api-client/schema';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';

type Key = Schema<'Key'>;

/** Keys that can only send samples and were never used, and that are an hour old at least: a younger one may be about to be used. */
export function unusedKeys(keys: readonly Key[], now: number): Key[] {
  return keys.filter(
    ({ scopes, last_used_at, revoked_at, expires_at, created_at }) =>
      scopes.length === 1 &&
      scopes[0] === 'ingest' &&
      last_used_at === null &&
      revoked_at === null &&
      (expires_at === null || Date.parse(expires_at) > now) &&
      Date.parse(created_at) < now - HOUR_MS,
  );
}
