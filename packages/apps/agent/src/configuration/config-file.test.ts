import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfigFile } from './config-file.ts';
import { readOptions } from './options.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, text);
  return path;
}

test('a file of settings may have every setting, and none', () => {
  const text = `
url: https://monitor.example
key_file: /etc/tidewatch-agent/key
ca_file: /etc/authorities.pem
buffer_dir: /var/lib/tidewatch-agent
host: web-01
interval: 2.5
tags: { role: web, version: "2" }
docker_socket: /run/docker.sock
disable: [smart]
units: [nginx.service, "app-*"]
watch: ["http://127.0.0.1:9100"]
`;
  expect(readConfigFile(file(text))).toEqual({
    url: 'https://monitor.example',
    key_file: '/etc/tidewatch-agent/key',
    ca_file: '/etc/authorities.pem',
    buffer_dir: '/var/lib/tidewatch-agent',
    host: 'web-01',
    interval: 2.5,
    tags: { role: 'web', version: '2' },
    docker_socket: '/run/docker.sock',
    disable: ['smart'],
    units: ['nginx.service', 'app-*'],
    watch: ['http://127.0.0.1:9100'],
  });
  expect(readConfigFile(file('# nothing is set\n'))).toEqual({});
});

test.each([
  ['url: ftp://x', 'url: must be an http or https address'],
  ['url: 7', 'url: must be an http or https address'],
  ['interval: 0', 'interval: must be a number of seconds from 1 to 3600'],
  ['interval: "10"', 'interval: must be a number of seconds from 1 to 3600'],
  ['host: ""', 'host: must be a name of 1 to 255 characters'],
  ['tags: { version: 2 }', 'tags.version: must be a text; put a number or true and false in quotes'],
  ['tags: [web]', 'tags: must be names with texts, such as role: web'],
  ['units: nginx', 'units: must be a list of names'],
  ['disable: [""]', 'disable.0: must be a list of names'],
  ['key_file:', 'key_file: must be the path of a file'],
  ['watch: ["http://u:hidden@x"]', 'watch.0: must be a list of http or https addresses'],
  ['intervall: 10', 'intervall: is no setting; did you mean interval?; allowed are url, key_file'],
  ['key: tw_hidden', 'key: is not allowed, since others may read this file'],
  ['- url', 'must be settings with their values'],
  ['url: [', 'cannot be read: '],
])('a file of settings with %j is refused, and the message says what is allowed', (text, expected) => {
  const path = file(text);
  expect(() => readConfigFile(path)).toThrow(expected);
  expect(() => readConfigFile(path)).toThrow(path);
  expect(() => readConfigFile(path)).not.toThrow(/hidden/);
});

test('a file of settings that is missing or larger than 64 KiB is refused', () => {
  expect(() => readConfigFile(join(folder, 'none'))).toThrow('cannot be read: ENOENT');
  expect(() => readConfigFile(file(`# ${'x'.repeat(65_536)}`))).toThrow('it is larger than 64 KiB');
});

test('arguments and then the environment take precedence over the file of settings', () => {
  const settings = {
    url: 'http://file',
    interval: 30,
    host: 'from-file',
    units: ['a', 'b'],
    tags: { a: '1' },
  };
  const env = { TIDEWATCH_API_KEY: 'k', TIDEWATCH_URL: 'http://environment' };
  expect(readOptions(['--host', 'argument', '--tag', 'b=2'], env, 'own', settings)).toMatchObject({
    url: 'http://environment',
    host: 'argument',
    intervalMs: 30_000,
    units: ['a', 'b'],
    tags: { b: '2' },
  });
  expect(readOptions(['--url', 'http://argument'], env, 'own', settings)).toMatchObject({
    url: 'http://argument',
    host: 'from-file',
    tags: { a: '1' },
  });
});
