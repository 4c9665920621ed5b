import { expect, test } from 'vitest';
import { identities, serviceAccounts } from './identity.ts';

const PASSWD = [
  'root:x:0:0:root:/root:/bin/bash',
  'daemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin',
  'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin',
  'postgres:x:101:104::/var/lib/postgresql:/bin/bash',
  '',
].join('\n');
const ROOT = { uid: 0, gid: 0 };

test('accounts meant for services come first, root never', () => {
  expect(serviceAccounts(PASSWD).map((account) => account.name)).toEqual(['postgres', 'nobody', 'daemon']);
});

test('an ordinary user runs the server as itself', () => {
  expect(identities(1000, ROOT, '')).toMatchObject([{ owner: null, prefix: [], spawn: {} }]);
});

test('root drops to an account, or else becomes one in a namespace or with a capability', () => {
  const [drop, namespace, capability] = identities(0, ROOT, PASSWD);
  expect(drop?.spawn).toEqual({ uid: 101, gid: 104 });
  expect(namespace).toMatchObject({ owner: ROOT, spawn: {} });
  expect(namespace?.prefix).toContain('--map-user=101');
  expect(capability).toMatchObject({ owner: { uid: 101, gid: 104 }, relocated: true });
});

test('root keeps to the account that owns the data already', () => {
  expect(identities(0, { uid: 65534, gid: 65534 }, PASSWD)[0]?.spawn).toEqual({ uid: 65534, gid: 65534 });
});

test('a machine without any other account has no way', () => {
  expect(identities(0, ROOT, 'root:x:0:0::/root:/bin/sh')).toEqual([]);
});
