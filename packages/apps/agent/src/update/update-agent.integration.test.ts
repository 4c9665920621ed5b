import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { type AgentRelease, signedTextOf } from '@tidewatch/contracts/agent/agent-release';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordSent, settleUpdate } from './pending-update.ts';
import { type UpdateHost, type UpdateOptions, updateAgent } from './update-agent.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519').privateKey;
const FILE = 'tidewatch-agent-linux-x64.zst';

/** An agent that is a script: it prints its version, and its check ends with `checkCode`. */
const script = (version: string, checkCode = 0) =>
  `#!/bin/sh\nif [ "$1" = check ]; then echo checked; exit ${checkCode}; fi\necho "tidewatch-agent ${version}"\n`;

let folder: string;
let server: Server;
/** What the server answers with, by the name of the file. */
let served: Map<string, Buffer>;
let executable: string;
let printed: string[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-update-'));
  executable = join(folder, 'tidewatch-agent');
  writeFileSync(executable, script('0.1.0'));
  chmodSync(executable, 0o755);
  served = new Map();
  printed = [];
  server = createServer(({ url = '' }, response) => {
    const body = served.get(url.replace('/downloads/', ''));
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

/** Serves an executable; `changes` are made after the description was signed. */
function serve(
  version: string,
  text = script(version),
  key = privateKey,
  changes: Partial<AgentRelease> = {},
): void {
  const packed = zstdCompressSync(text);
  const sha256 = createHash('sha256').update(packed).digest('hex');
  const release = { version, files: [{ name: FILE, bytes: packed.length, sha256 }] };
  const signature = sign(null, Buffer.from(signedTextOf(release)), key).toString('base64');
  served.set('agent.json', Buffer.from(JSON.stringify({ ...release, signature, ...changes })));
  served.set(FILE, packed);
}

const host: UpdateHost = {
  clock: Date.now,
  isPackaged: async () => false,
  run: (file, command) =>
    new Promise((resolve) => {
      execFile(file, [command], (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    }),
  restart: async () => false,
  print: (line) => void printed.push(line),
};

const update = (changes: Partial<UpdateOptions> = {}, hostChanges: Partial<UpdateHost> = {}) =>
  updateAgent({
    source: {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      proxies: undefined,
      certificate: undefined,
      timeoutMs: 10_000,
    },
    executable,
    version: '0.1.0',
    target: 'linux-x64',
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    bufferDirectory: folder,
    force: false,
    allowDowngrade: false,
    host: { ...host, ...hostChanges },
    ...changes,
  });

test('a newer signed version replaces the executable, and the former one is kept beside it', async () => {
  serve('0.2.0');
  await update();
  expect(readFileSync(executable, 'utf8')).toBe(script('0.2.0'));
  expect(readFileSync(`${executable}.previous`, 'utf8')).toBe(script('0.1.0'));
  expect(printed.join(' ')).toContain('restart it to use the new version');
  expect(readdirSync(folder).toSorted()).toEqual([
    'tidewatch-agent',
    'tidewatch-agent.pending',
    'tidewatch-agent.previous',
  ]);
});

test('an update is complete once the new version has sent a payload', async () => {
  serve('0.2.0');
  const restart = async () => {
    setTimeout(() => recordSent(folder, '0.2.0'), 100);
    return true;
  };
  await update({}, { restart });
  expect(printed.at(-1)).toBe('Version 0.2.0 has sent a payload: the update is complete.');
  expect(existsSync(`${executable}.pending`)).toBe(false);
});

test('a new version that is started again and again without sending is rolled back, and is not tried again', async () => {
  serve('0.2.0');
  const restart = async () => {
    for (let start = 0; start < 4; start += 1) settleUpdate(executable, folder, Date.now(), true);
    return true;
  };
  await expect(update({}, { restart })).rejects.toThrow('did not send a payload and was rolled back');
  expect(readFileSync(executable, 'utf8')).toBe(script('0.1.0'));
  await expect(update()).rejects.toThrow('was rolled back here before: give --force');
  await update({ force: true });
  expect(readFileSync(executable, 'utf8')).toBe(script('0.2.0'));
});

test('the same version is left as it is', async () => {
  serve('0.1.0');
  await update();
  expect(printed).toEqual(['Version 0.1.0 is the one that is served.']);
});

test('an older version is installed only with --allow-downgrade', async () => {
  serve('0.0.9');
  await expect(update()).rejects.toThrow('older than 0.1.0: give --allow-downgrade');
  await update({ allowDowngrade: true });
  expect(readFileSync(executable, 'utf8')).toBe(script('0.0.9'));
});

test.each<[string, () => void, Partial<UpdateOptions>, string]>([
  [
    'a signature by another key',
    () => serve('0.2.0', undefined, stranger),
    {},
    'is not by the key of this agent',
  ],
  [
    'a version that was changed after it was signed',
    () => serve('0.2.0', undefined, privateKey, { version: '0.3.0' }),
    {},
    'is not by the key',
  ],
  [
    'no signature',
    () => serve('0.2.0', undefined, privateKey, { signature: null }),
    {},
    'is not signed: build it by',
  ],
  [
    'no key in the executable',
    () => serve('0.2.0'),
    { publicKey: undefined },
    'this agent has no key to verify updates with',
  ],
  [
    'no folder of the buffer',
    () => serve('0.2.0'),
    { bufferDirectory: null },
    'name the folder of the buffer by --buffer-dir',
  ],
  ['no version that is served', () => {}, {}, 'agent.json answers with 404'],
  [
    'no executable for the processor',
    () => serve('0.2.0'),
    { target: 'linux-arm64' },
    'is not served for linux-arm64',
  ],
  [
    'another description',
    () => served.set('agent.json', Buffer.from('<html>')),
    {},
    'is no description of a version',
  ],
])('with %s nothing is replaced, and the message says so', async (_, arrange, changes, message) => {
  arrange();
  await expect(update(changes)).rejects.toThrow(message);
  expect(readFileSync(executable, 'utf8')).toBe(script('0.1.0'));
  expect(readdirSync(folder)).toEqual(['tidewatch-agent']);
});

test.each([
  ['is cut off', (file: Buffer) => file.subarray(0, file.length - 5), 'it is not complete'],
  ['is too large', (file: Buffer) => Buffer.concat([file, Buffer.from('more')]), 'is larger than'],
  ['was changed', (file: Buffer) => Buffer.from(file).fill(0, 20, 22), 'does not have the SHA-256'],
])('a download that %s is not installed and leaves nothing behind', async (_, change, message) => {
  serve('0.2.0');
  served.set(FILE, change(served.get(FILE) as Buffer));
  await expect(update()).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual(['tidewatch-agent']);
});

test.each([
  ['does not start', '#!/bin/sh\nexit 7\n', 'does not start: --version ended with 7'],
  ['has another version than is announced', script('0.2.1'), 'does not start: --version ended with 0'],
  ['cannot report', script('0.2.0', 1), 'cannot report from here: checked'],
])('a new executable that %s is not installed', async (_, text, message) => {
  serve('0.2.0', text);
  await expect(update()).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual(['tidewatch-agent']);
});

test('what dpkg installed is replaced only with --force', async () => {
  serve('0.2.0');
  const isPackaged = async () => true;
  await expect(update({}, { isPackaged })).rejects.toThrow('belongs to a package of dpkg');
  await update({ force: true }, { isPackaged });
  expect(readFileSync(executable, 'utf8')).toBe(script('0.2.0'));
});
