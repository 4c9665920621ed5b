import type { Schema } from '@tidewatch/api-client/schema';
import { expect, it } from 'vitest';
import { unusedKeys } from './unused-keys.ts';

const NOW = Date.parse('2026-11-26T03:00:00Z');
const key = (changes: Partial<Schema<'Key'>>) =>
  ({
    scopes: ['ingest'],
    last_used_at: null,
    revoked_at: null,
    expires_at: null,
    created_at: '2026-11-26T01:00:00Z',
    ...changes,
  }) as Schema<'Key'>;

it.each<[string, Partial<Schema<'Key'>>, number]>([
  ['offers a key that only sends and was never used', {}, 1],
  ['keeps one that was used', { last_used_at: '2026-11-26T02:00:00Z' }, 0],
  ['keeps one that may do more', { scopes: ['ingest', 'read'] }, 0],
  ['keeps one that is revoked already', { revoked_at: '2026-11-26T02:00:00Z' }, 0],
  ['keeps one that has expired', { expires_at: '2026-11-26T02:00:00Z' }, 0],
  ['keeps one whose command may be about to run', { created_at: '2026-11-26T02:30:00Z' }, 0],
])('%s', (_name, changes, count) => {
  expect(unusedKeys([key(changes)], NOW)).toHaveLength(count);
});
