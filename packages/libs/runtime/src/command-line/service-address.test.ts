import { describe, expect, it } from 'vitest';
import type { Environment } from '../settings/config.ts';
import { readAddress, readKey } from './service-address.ts';

describe('readAddress', () => {
  it.each<[string, string | undefined, Environment, string]>([
    ['takes --url first', 'https://a.example', { TIDEWATCH_URL: 'http://b.example' }, 'https://a.example'],
    [
      'takes TIDEWATCH_URL before TIDEWATCH_PORT',
      undefined,
      { TIDEWATCH_URL: 'http://b.example', TIDEWATCH_PORT: '1' },
      'http://b.example',
    ],
    ['takes the port of TIDEWATCH_PORT', undefined, { TIDEWATCH_PORT: '9000' }, 'http://127.0.0.1:9000'],
    ['is this machine by default', undefined, {}, 'http://127.0.0.1:8230'],
    [
      'is the loopback address when the service listens on all addresses',
      undefined,
      { TIDEWATCH_HOST: '0.0.0.0' },
      'http://127.0.0.1:8230',
    ],
    ['puts an IPv6 address into brackets', undefined, { TIDEWATCH_HOST: '::' }, 'http://[::1]:8230'],
    [
      'uses https when the service has a certificate',
      undefined,
      { TIDEWATCH_TLS_CERT_FILE: '/a.crt' },
      'https://127.0.0.1:8230',
    ],
  ])('%s', (_name, option, env, url) => {
    expect(readAddress(option, env).url).toBe(url);
  });

  it('rejects a text that is not an http or https address', () => {
    expect(() => readAddress('monitor.example', {})).toThrow(/address/);
  });
});

describe('readKey', () => {
  const files: Record<string, string> = {
    '/data/admin-key': 'tw_data\n',
    '.tidewatch-stack/admin-key': 'tw_stack\n',
    '/key': 'tw_file\n',
  };
  const local = { url: 'http://127.0.0.1:8230', isExplicit: false };
  const read = (env: Environment, address = local) => readKey(address, env, (path) => files[path] ?? null);

  it.each<[string, Environment, string | undefined]>([
    ['takes TIDEWATCH_API_KEY first', { TIDEWATCH_API_KEY: 'tw_a', TIDEWATCH_BOOTSTRAP_KEY: 'tw_b' }, 'tw_a'],
    [
      'takes the file of TIDEWATCH_API_KEY_FILE',
      { TIDEWATCH_API_KEY_FILE: '/key', TIDEWATCH_BOOTSTRAP_KEY: 'tw_b' },
      'tw_file',
    ],
    [
      'takes TIDEWATCH_BOOTSTRAP_KEY before the data directory',
      { TIDEWATCH_BOOTSTRAP_KEY: 'tw_b', TIDEWATCH_DATA_DIR: '/data' },
      'tw_b',
    ],
    ['takes the key file of the data directory', { TIDEWATCH_DATA_DIR: '/data' }, 'tw_data'],
    ['takes the key file of a stack', {}, 'tw_stack'],
    ['is undefined when no source has a key', { TIDEWATCH_DATA_DIR: '/empty' }, undefined],
  ])('%s', (_name, env, key) => {
    expect(read(env)).toBe(key);
  });

  it('sends the key of the data directory to no other machine', () => {
    const env = { TIDEWATCH_DATA_DIR: '/data' };
    for (const url of ['http://localhost:1', 'http://[::1]:1', 'http://127.0.0.2'])
      expect(read(env, { url, isExplicit: true })).toBe('tw_data');
    for (const url of ['https://monitor.example', 'http://127.evil.example', 'http://10.0.0.1'])
      expect(read(env, { url, isExplicit: true })).toBeUndefined();
  });

  it('does not quote a key that it rejects', () => {
    const broken = () => read({ TIDEWATCH_API_KEY: 'tw_secret\nInjected: 1' });
    expect(broken).toThrow(/TIDEWATCH_API_KEY/);
    expect(broken).not.toThrow(/secret/);
    expect(() => read({ TIDEWATCH_API_KEY_FILE: '/nowhere' })).toThrow(/cannot be read/);
  });
});
