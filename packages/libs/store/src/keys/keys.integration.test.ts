import { hash } from 'node:crypto';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore } from '@tidewatch/database/connection';
import { openForTest } from '@tidewatch/harness/opened';
import { storeForTest, type TestStore } from '@tidewatch/harness/store';
import { beforeEach, describe, expect, it } from 'vitest';
import { bootstrapKey } from './bootstrap.ts';
import { findKey, keySource } from './find.ts';
import { recordKeyUses } from './note-uses.ts';

const NOW = Date.UTC(2026, 10, 21);
const OWN = 'an-operators-own-key-of-32-chars!';
const digest = (text: string) => hash('sha256', text, 'hex');
const options = { now: NOW, newId };

describe('bootstrapKey and findKey', () => {
  let store: TestStore;

  beforeEach(async () => {
    store = await storeForTest();
  });

  it('an empty installation gets an organization and a key, shown once', async () => {
    const { created, secret } = await bootstrapKey(store.sql, { ...options, key: null });
    expect(created).toBe(true);
    expect(secret).toMatch(/^tw_[0-9a-f]{32}_[0-9a-f]{64}$/);
    expect(await findKey(store.sql)(digest(secret ?? ''))).toMatchObject({
      scopes: ['ingest', 'read', 'write', 'admin', 'operator'],
      rateLimitPerMinute: null,
      hosts: null,
      expiresAt: null,
      revokedAt: null,
    });
    expect(await bootstrapKey(store.sql, { ...options, key: null })).toEqual({
      created: false,
      secret: null,
    });
    const [stored] = await store.sql`select api_keys::text as row from api_keys`;
    expect(stored?.row).not.toContain((secret ?? '').slice(-64));
  });

  it('several starts at once make one key', async () => {
    const starts = Array.from({ length: 4 }, () => bootstrapKey(store.sql, { ...options, key: null }));
    expect((await Promise.all(starts)).filter(({ created }) => created)).toHaveLength(1);
  });

  it('the given key is stored, and is valid again after it was revoked', async () => {
    const given = { ...options, key: OWN };
    expect(await bootstrapKey(store.sql, given)).toEqual({ created: true, secret: null });
    expect(await bootstrapKey(store.sql, given)).toEqual({ created: false, secret: null });
    await store.sql`update api_keys set revoked_at = now()`;
    expect((await findKey(store.sql)(digest(OWN)))?.revokedAt).toBeTypeOf('number');
    expect(await bootstrapKey(store.sql, given)).toEqual({ created: true, secret: null });
    expect((await findKey(store.sql)(digest(OWN)))?.revokedAt).toBeNull();
  });

  it('a bootstrap key that is added later belongs to the existing organization', async () => {
    const { secret } = await bootstrapKey(store.sql, { ...options, key: null });
    await bootstrapKey(store.sql, { ...options, key: OWN });
    const first = await findKey(store.sql)(digest(secret ?? ''));
    const own = await findKey(store.sql)(digest(OWN));
    expect(own?.organizationId).toBe(first?.organizationId);
  });

  it('the revision of keys is raised by changes of the permissions of a key, not by its use', async () => {
    await bootstrapKey(store.sql, { ...options, key: OWN });
    const api = await openForTest(openStore({ url: store.database.apiUrl }));
    const { find, revision } = keySource(api.sql);
    const key = await find(digest(OWN));
    const before = await revision();
    const use = { organizationId: key?.organizationId ?? '', keyId: key?.id ?? '', at: NOW, hosts: ['a'] };
    await recordKeyUses(api.sql, [use]);
    expect(await revision()).toBe(before);
    const changes = ['revoked_at = now()', "scopes = '{read}'", 'expires_at = now()', "hosts = '{a}'"];
    for (const [nth, change] of changes.entries()) {
      await store.sql.unsafe(`update api_keys set ${change}`);
      expect(await revision()).toBe(before + nth + 1);
    }
    await store.sql`delete from api_keys`;
    expect(await revision()).toBe(before + changes.length + 1);
  });

  it('a key that is too short is refused, and an unknown key is not found', async () => {
    await expect(bootstrapKey(store.sql, { ...options, key: 'x'.repeat(31) })).rejects.toThrow(RangeError);
    expect(await findKey(store.sql)(digest('unknown'))).toBeNull();
  });
});
