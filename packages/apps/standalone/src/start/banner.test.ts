import { expect, test } from 'vitest';
import { banner, localUrl, readyLine } from './banner.ts';

const facts = { url: 'http://127.0.0.1:8230', keyFile: '/data/admin-key', newKey: 'tw_id_secret' };

test('the first start shows the key, and the curl line reads it from its file', () => {
  const text = banner(facts);
  expect(text).toContain('Admin key, shown only this once: tw_id_secret');
  expect(text).toContain('curl -H "X-API-Key: $(cat /data/admin-key)" http://127.0.0.1:8230/api/v1/services');
});

test('later starts do not show it', () => {
  expect(banner({ ...facts, newKey: null })).not.toContain('tw_id_secret');
});

test('a path with blanks is quoted for the shell', () => {
  expect(banner({ ...facts, keyFile: "/my data/it's" })).toContain(`$(cat '/my data/it'\\''s')`);
});

test('a server on all addresses is reached on the loopback one', () => {
  expect(localUrl('http://0.0.0.0:8230')).toBe('http://127.0.0.1:8230');
  expect(localUrl('https://[::]:1')).toBe('https://[::1]:1');
});

test('without a terminal a start prints one line of JSON with the address and the path of the key', () => {
  const { url, keyFile } = facts;
  const line = readyLine({ url, keyFile, version: '0.1.0' });
  expect(line.split('\n')).toHaveLength(2);
  expect(JSON.parse(line)).toEqual({
    event: 'ready',
    url,
    docs: `${url}/docs`,
    version: '0.1.0',
    admin_key_file: keyFile,
  });
});
