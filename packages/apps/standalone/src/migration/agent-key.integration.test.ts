import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { keyDigest } from '@tidewatch/runtime/auth/authentication';
import { findKey } from '@tidewatch/store/keys/find';
import { expect, test } from 'vitest';
import { prepareAgentKey } from './agent-key.ts';

const store = await storeForFile({ organizations: ['org_1'] });
const directory = folderForFile();

const file = () => join(directory, 'agent-key');
const prepare = () => prepareAgentKey(store.sql, directory, Date.now);
const stored = async () => findKey(store.sql)(keyDigest(readFileSync(file(), 'utf8').trim()));

test('the migration creates an agent key that may only ingest, in a private file', async () => {
  await prepare();
  expect(await stored()).toMatchObject({ name: 'agent', scopes: ['ingest'], revokedAt: null });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('a second migration does not change the agent key', async () => {
  const before = readFileSync(file(), 'utf8');
  await prepare();
  expect(readFileSync(file(), 'utf8')).toBe(before);
});

test('an agent key that was revoked stays revoked', async () => {
  await store.sql`update api_keys set revoked_at = now() where name = 'agent'`;
  await prepare();
  expect((await stored())?.revokedAt).not.toBeNull();
});

test('an agent key whose file is lost is replaced, and the former key is refused', async () => {
  const lost = readFileSync(file(), 'utf8').trim();
  rmSync(file());
  await prepare();
  expect(await stored()).toMatchObject({ revokedAt: null });
  expect(await findKey(store.sql)(keyDigest(lost))).toBeNull();
});
