import type { KeyRecord } from '../values/access.ts';

/** A key without limits that neither expires nor is revoked, with the given fields. */
export const keyRecordOf = (fields: Partial<KeyRecord> = {}): KeyRecord => ({
  id: 'key_1',
  organizationId: 'org_1',
  name: 'test',
  scopes: ['read'],
  rateLimitPerMinute: null,
  hosts: null,
  expiresAt: null,
  revokedAt: null,
  ...fields,
});
