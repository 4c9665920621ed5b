import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

const env = { TIDEWATCH_API_KEY: 'from-environment' };

test('the agent has defaults for every option except the key', () => {
  expect(readOptions([], env, 'web-01')).toEqual({
    url: 'http://127.0.0.1:8230',
    key: 'from-environment',
    keyFile: null,
    caFile: null,
    clientCertificate: null,
    bufferDirectory: null,
    host: 'web-01',
    hostRoot: '/',
    intervalMs: 10_000,
    once: false,
    command: 'report',
    force: false,
    allowDowngrade: false,
    tags: {},
    version: false,
    dockerSockets: ['/var/run/docker.sock', '/run/podman/podman.sock'],
    disabled: [],
    units: [],
    watch: [],
    help: false,
  });
});

test('arguments of the agent take precedence over the environment', () => {
  const args = [
    '--url',
    'https://t.example',
    '--key',
    'k',
    '--host',
    'h',
    '--interval',
    '2.5',
    '--once',
    '--tag',
    'a:b:c',
    '--tag',
    'd:',
    '--tag',
    'e=f:g=h',
  ];
  expect(readOptions(args, { ...env, TIDEWATCH_URL: 'http://other' }, 'web-01')).toMatchObject({
    url: 'https://t.example',
    key: 'k',
    host: 'h',
    intervalMs: 2_500,
    once: true,
    tags: { a: 'b:c', d: '', e: 'f:g=h' },
  });
});

test('--watch takes several addresses, each once, and TIDEWATCH_WATCH applies only without --watch', () => {
  const watch = (args: string[], list?: string) =>
    readOptions(args, { ...env, TIDEWATCH_WATCH: list }, 'web-01').watch;
  const args = ['--watch', 'http://a:9100,http://b:9100/metrics', '--watch', 'http://a:9100, parent'];
  expect(watch(args, 'http://c')).toEqual(['http://a:9100', 'http://b:9100/metrics', 'parent']);
  expect(watch([], 'http://c,https://d')).toEqual(['http://c', 'https://d']);
  expect(watch([], '')).toEqual([]);
  const many = Array.from({ length: 101 }, (_, index) => `http://a:${index + 1}`).join();
  for (const wrong of ['ftp://a', 'a:9100', 'http://u:hidden@a', many])
    expect(() => watch(['--watch', wrong])).toThrow(/--watch (?!.*hidden)/);
});

test('--disable and --unit take lists by commas and may be given again', () => {
  const args = ['--disable', 'gpus, smart', '--disable', 'gpus', '--unit', 'nginx,app-*', '--unit', 'cron'];
  expect(readOptions(args, env, 'web-01')).toMatchObject({
    disabled: ['gpus', 'smart'],
    units: ['nginx', 'app-*', 'cron'],
  });
});

test('the agent names every fault of its options at once, without the key', () => {
  expect(() =>
    readOptions(['--url', 'ftp://x', '--interval', '0', '--tag', 'none', '--key-file', '/nowhere'], {}, ''),
  ).toThrow(/--url[\s\S]*--host[\s\S]*--interval[\s\S]*--tag none[\s\S]*\/nowhere: ENOENT/);
  expect(() => readOptions([], {}, 'h')).toThrow(/a key is missing/);
  expect(() => readOptions(['--unknown'], env, 'h')).toThrow(/Unknown option '--unknown'/);
});

test.each([
  ['--intervall', '--interval'],
  ['--keyfile', '--key-file'],
  ['--tags', '--tag'],
  ['--dockersocket', '--docker-socket'],
])('the agent suggests for the unknown option %s the option %s', (wrong, meant) => {
  expect(() => readOptions([wrong], env, 'h')).toThrow(`Unknown option '${wrong}'. Did you mean ${meant}?`);
});

test('a certificate of the agent needs its key', () => {
  const files = ['--client-cert', '/c.pem', '--client-key', '/k.pem'];
  expect(readOptions(files, env, 'web-01').clientCertificate).toEqual({ cert: '/c.pem', key: '/k.pem' });
  expect(() => readOptions(files.slice(0, 2), env, 'web-01')).toThrow(
    /--client-cert and --client-key are only allowed together/,
  );
});
