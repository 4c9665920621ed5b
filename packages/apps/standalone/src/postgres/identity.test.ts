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

test('serviceAccounts returns accounts for services first, and never root', () => {
  expect(serviceAccounts(PASSWD).map((account) => account.name)).toEqual(['postgres', 'nobody', 'daemon']);
});

test('an ordinary user runs the database server as itself', () => {
  expect(identities(1000, ROOT, '')).toMatchObject([{ owner: null, prefix: [], spawn: {} }]);
});

test('root runs the database server as another account, directly, in a namespace, or with a capability', () => {
  const [drop, namespace, capability] = identities(0, ROOT, PASSWD);
  expect(drop?.spawn).toEqual({ uid: 101, gid: 104 });
  expect(namespace).toMatchObject({ owner: ROOT, spawn: {} });
  expect(namespace?.prefix).toContain('--map-user=101');
  expect(capability).toMatchObject({ owner: { uid: 101, gid: 104 }, relocated: true });
});

test('root runs the database server as the account that owns the data', () => {
  expect(identities(0, { uid: 65534, gid: 65534 }, PASSWD)[0]?.spawn).toEqual({ uid: 65534, gid: 65534 });
});

test('root cannot run the database server on a machine without any other account', () => {
  expect(identities(0, ROOT, 'root:x:0:0::/root:/bin/sh')).toEqual([]);
});
