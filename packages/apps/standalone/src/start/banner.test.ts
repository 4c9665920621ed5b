import { expect, test } from 'vitest';
import { banner, localUrl, readyLine } from './banner.ts';

const facts = {
  url: 'http://127.0.0.1:8230',
  keyFile: '/data/admin-key',
  newKey: 'tw_id_secret',
  signInUrl: 'http://127.0.0.1:8230/sign-in#link=secret',
};

test('the banner of the first start shows the key, and its curl line reads the key from its file', () => {
  const text = banner(facts);
  expect(text).toContain('Admin key, shown only this once: tw_id_secret');
  expect(text).toContain('curl -H "X-API-Key: $(cat /data/admin-key)" http://127.0.0.1:8230/api/v1/services');
});

test('shows the link that signs in once, and no line for it without one', () => {
  expect(banner(facts)).toContain(
    '  Sign in once, within 15 minutes: http://127.0.0.1:8230/sign-in#link=secret\n',
  );
  expect(banner({ ...facts, signInUrl: null })).not.toContain('Sign in');
});

test('the banner of later starts does not show the key', () => {
  expect(banner({ ...facts, newKey: null })).not.toContain('tw_id_secret');
});

test('the banner quotes a path with blanks for the shell', () => {
  expect(banner({ ...facts, keyFile: "/my data/it's" })).toContain(`$(cat '/my data/it'\\''s')`);
});

test('the banner shows the loopback address for a server that listens on all addresses', () => {
  expect(localUrl('http://0.0.0.0:8230')).toBe('http://127.0.0.1:8230');
  expect(localUrl('https://[::]:1')).toBe('https://[::1]:1');
});

test('the ready line for programs is one line of JSON with the address and the path of the key', () => {
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
