import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@tidewatch/contracts/values/id';
import { folderForFile } from '@tidewatch/harness/opened';
import { storeForFile } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { countUnreadable, readDestination } from '@tidewatch/store/channels/read';
import { sealConfig } from '@tidewatch/store/channels/sealed-config';
import { createSecretBox, SecretKeyError } from '@tidewatch/store/secrets/secret-box';
import { beforeAll, expect, test } from 'vitest';
import { rotateSecrets } from './rotate-secrets.ts';

const folder = folderForFile();
const [oldKey, newKey, otherKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const organizations = [newId('org'), newId('org')];
let channels: { org: string; id: string }[];

const store = await storeForFile({ organizations, max: 2 });
beforeAll(async () => {
  writeFileSync(join(folder, 'old'), oldKey.toString('hex'));
  writeFileSync(join(folder, 'new'), `${newKey.toString('base64')}\n`);
  writeFileSync(join(folder, 'other'), otherKey.toString('hex'));
  channels = await Promise.all(organizations.flatMap((org) => [addChannel(org), addChannel(org)]));
});

const configOf = (id: string) => ({ url: `https://example.com/${id}`, secret: `whsec_${id}` });

async function addChannel(org: string) {
  const id = newId('chn');
  const config = { kind: 'webhook', config: configOf(id) } as never;
  const { sealed, nonce, key_id } = sealConfig(createSecretBox(oldKey), org, id, config);
  await store.sql`
    insert into channels (organization_id, id, kind, name, is_default, enabled, shown, sealed, nonce, key_id, created_at, updated_at)
    values (${org}, ${id}, 'webhook', ${id}, false, true, '{}', ${sealed}, ${nonce}, ${key_id}, now(), now())`;
  return { org, id };
}

const rotate = (oldKeyFile: string, newKeyFile: string) =>
  rotateSecrets(
    {
      oldKeyFile: join(folder, oldKeyFile),
      newKeyFile: join(folder, newKeyFile),
      databaseUrl: store.database.adminUrl,
      directory: folder,
    },
    Date.now(),
    createSilentLogger(),
  );

async function expectReadableWith(key: Uint8Array): Promise<void> {
  const box = createSecretBox(key);
  expect(await countUnreadable(store.sql, box)).toBe(0);
  for (const { org, id } of channels)
    expect(await readDestination(store.sql, box, org, id)).toMatchObject({ id, config: configOf(id) });
}

test('a rotation with an old key that is not in use changes nothing', async () => {
  await expect(rotate('other', 'new')).rejects.toThrow(SecretKeyError);
  await expectReadableWith(oldKey);
});

test('a rotation changes nothing if the secrets of one channel cannot be decrypted', async () => {
  const last = channels.toSorted((a, b) => (a.org + a.id < b.org + b.id ? 1 : -1))[0];
  const [kept] = await store.sql`select nonce from channels where id = ${last?.id ?? ''}`;
  await store.sql`update channels set nonce = ${randomBytes(12)} where id = ${last?.id ?? ''}`;
  await expect(rotate('old', 'new')).rejects.toThrow(last?.id);
  await store.sql`update channels set nonce = ${kept?.['nonce']} where id = ${last?.id ?? ''}`;
  await expectReadableWith(oldKey);
});

test('after a rotation the secrets of all organizations can be decrypted with the new key, and a second rotation to the same key changes nothing', async () => {
  expect(await rotate('old', 'new')).toEqual({ rotated: 4, already: 0 });
  await expectReadableWith(newKey);
  expect(await countUnreadable(store.sql, createSecretBox(oldKey))).toBe(4);
  expect(await rotate('old', 'new')).toEqual({ rotated: 0, already: 4 });
  await expectReadableWith(newKey);
});
