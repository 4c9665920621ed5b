import { openForFile } from '@tidewatch/harness/opened';
import { describe, expect, test } from 'vitest';
import { type Client, createClient, uniqueName } from './client.ts';
import { openTarget } from './target.ts';

const target = await openForFile(openTarget());
const admin = createClient(target);

const REVOKED_WITHIN_MS = 10_000;
const clientOf = (key: string) => createClient({ url: target.url, key });
const make = (more: object) => admin.expect(201, 'POST', '/keys', { name: uniqueName('e2e-key'), ...more });
/** The statuses that the query API and the gateway return for a key. */
const asked = async (client: Client) => [
  (await client.ask('GET', '/services')).status,
  (await client.ingest({ host: 'e2e-keys', metrics: {} })).status,
];

describe('a key', () => {
  test('works everywhere at once, and stops everywhere within ten seconds of being revoked', async () => {
    const { id, secret } = await make({ scopes: ['read', 'ingest'] });
    const client = clientOf(secret);
    expect(await asked(client)).toEqual([200, 200]);
    await admin.expect(204, 'DELETE', `/keys/${id}`);
    await expect.poll(() => asked(client), { timeout: REVOKED_WITHIN_MS, interval: 200 }).toEqual([401, 401]);
    expect((await client.ask('GET', '/services')).body.code).toBe('key_revoked');
    await admin.expect(404, 'DELETE', `/keys/${id}`);
  });

  test('stays valid beside its successor during the overlap of a rotation', async () => {
    const { id, secret } = await make({ scopes: ['read', 'ingest'] });
    const rotated = await admin.expect(201, 'POST', `/keys/${id}/rotate`, { grace_hours: 1 });
    expect(rotated.replaces).toBe(id);
    for (const each of [secret, rotated.secret]) expect(await asked(clientOf(each))).toEqual([200, 200]);
  });

  test('that is restricted to some hosts cannot report for others, and the hosts it reported for are recorded', async () => {
    const host = uniqueName('e2e-web');
    const { id, secret } = await make({ scopes: ['ingest'], hosts: [`${host}*`] });
    const client = clientOf(secret);
    const refused = await client.ingest([
      { host, metrics: {} },
      { host: 'e2e-db', metrics: {} },
    ]);
    expect([refused.status, refused.body.code]).toEqual([403, 'host_not_allowed']);
    expect((await client.ingest({ host, metrics: {} })).status).toBe(200);
    await expect
      .poll(async () => (await admin.expect(200, 'GET', `/keys/${id}`)).recent_hosts)
      .toEqual([{ host, last_used_at: expect.any(String) }]);
    expect((await admin.expect(200, 'GET', `/keys/${id}`)).last_used_at).not.toBeNull();
  });
});
