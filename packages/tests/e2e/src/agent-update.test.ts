import { execFile, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync } from 'node:zlib';
import { signedTextOf } from '@tidewatch/contracts/agent/agent-release';
import { folderForFile } from '@tidewatch/harness/opened';
import { recordPart } from '@tidewatch/harness/parts/report';
import { beforeAll, describe, expect, test } from 'vitest';
import { uniqueName } from './client.ts';
import { openProduct } from './scenario.ts';

const BUILD = fileURLToPath(new URL('../../../tools/src/agent-build/main.ts', import.meta.url));
const NAME = `tidewatch-agent-linux-${process.arch}`;

/** Why no executables can be built here; undefined if they can. */
function findLack(): string | undefined {
  const isBuilt = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);
  return isBuilt ? undefined : `the agent is not built for ${process.platform} on ${process.arch}`;
}

const lack = findLack();
recordPart({
  name: 'executables of the agent',
  state: lack === undefined ? 'started' : 'lacked',
  detail: lack ?? 'two versions',
});

const ended = (program: string, args: readonly string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env }, timeout: 180_000, maxBuffer: 2 ** 26 };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0;
      resolve({ code, output: stdout + stderr });
    });
  });

describe.skipIf(lack !== undefined)(
  '[needs executables of the agent] an agent that updates itself',
  async () => {
    const folder = folderForFile();
    const downloads = join(folder, 'downloads');
    const executable = join(folder, 'tidewatch-agent');
    const buffer = join(folder, 'buffer');
    const { privateKey } = generateKeyPairSync('ed25519');
    const { product, client } =
      lack === undefined ? await openProduct({ TIDEWATCH_DOWNLOADS_DIR: downloads }) : ({} as never);
    const host = uniqueName('updated');
    const args = () => ['--url', product.url, '--host', host, '--buffer-dir', buffer, '--interval', '1'];
    const agent = (...words: string[]) => ended(executable, words, { TIDEWATCH_API_KEY: product.key });
    const settle = () => ended(`${executable}.previous`, ['settle', '--buffer-dir', buffer]);
    const serve = (version: string) => cpSync(join(folder, version), downloads, { recursive: true });

    /** Serves a script in place of an executable, with a valid signature. */
    function serveScript(version: string, text: string): void {
      const packed = zstdCompressSync(text);
      const sha256 = createHash('sha256').update(packed).digest('hex');
      const release = { version, files: [{ name: `${NAME}.zst`, bytes: packed.length, sha256 }] };
      const signature = sign(null, Buffer.from(signedTextOf(release)), privateKey).toString('base64');
      writeFileSync(join(downloads, `${NAME}.zst`), packed);
      writeFileSync(join(downloads, 'agent.json'), JSON.stringify({ ...release, signature }));
    }

    beforeAll(async () => {
      mkdirSync(folder, { recursive: true });
      const keyFile = join(folder, 'signing-key.pem');
      writeFileSync(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }));
      const build = (version: string, ...more: string[]) =>
        ended(process.execPath, [
          BUILD,
          '--no-packages',
          '--compression',
          '0',
          '--version',
          version,
          '--out',
          join(folder, version),
          ...more,
        ]);
      for (const built of [
        await build('1.0.0', '--signing-key', keyFile),
        await build('1.1.0', '--signing-key', keyFile),
      ])
        expect(built, built.output).toMatchObject({ code: 0 });
      copyFileSync(join(folder, '1.0.0', NAME), executable);
      serve('1.1.0');
    }, 180_000);

    test('a download that is cut off changes nothing', async () => {
      truncateSync(join(downloads, `${NAME}.zst`), 1_000_000);
      const { code, output } = await agent('update', ...args());
      serve('1.1.0');
      expect(code).toBe(1);
      expect(output).toContain('it is not complete');
      expect((await agent('--version')).output).toBe('tidewatch-agent 1.0.0\n');
    });

    test('the served version takes the place of the agent, and is kept once it has sent a payload', async () => {
      const updated = await agent('update', ...args());
      expect(updated, updated.output).toMatchObject({ code: 0 });
      expect((await agent('--version')).output).toBe('tidewatch-agent 1.1.0\n');
      expect((await settle()).output).toContain('pending');
      const running = spawn(executable, args(), {
        env: { TIDEWATCH_API_KEY: product.key },
        stdio: 'ignore',
      });
      const exited = new Promise((resolve) => running.once('exit', resolve));
      await expect.poll(() => existsSync(join(buffer, 'sent-version')), { timeout: 30_000 }).toBe(true);
      running.kill('SIGTERM');
      await exited;
      expect((await settle()).output).toContain('confirmed');
      const { services } = await client.expect(200, 'GET', `/services?q=${host}`);
      expect(services).toHaveLength(1);
    });

    test('an older version is refused', async () => {
      serve('1.0.0');
      const { code, output } = await agent('update', ...args());
      expect(code).toBe(1);
      expect(output).toContain('older than 1.1.0: give --allow-downgrade');
    });

    test('a new version that ends at each start is rolled back by the former one', async () => {
      serveScript(
        '1.2.0',
        '#!/bin/sh\ncase $1 in --version) echo "tidewatch-agent 1.2.0" ;; check) exit 0 ;; *) exit 3 ;; esac\n',
      );
      const updated = await agent('update', ...args());
      expect(updated, updated.output).toMatchObject({ code: 0 });
      for (let start = 0; start < 3; start += 1) {
        expect((await settle()).output).toContain('pending');
        expect((await agent(...args())).code).toBe(3);
      }
      expect((await settle()).output).toContain('rolled back');
      expect((await agent('--version')).output).toBe('tidewatch-agent 1.1.0\n');
      expect((await agent('update', ...args())).output).toContain('was rolled back here before');
    });

    test('an agent that was built without a key refuses, and so does one of another key', async () => {
      const { privateKey: other } = generateKeyPairSync('ed25519');
      const release = {
        version: '1.3.0',
        files: [{ name: `${NAME}.zst`, bytes: 1, sha256: '0'.repeat(64) }],
      };
      const signature = sign(null, Buffer.from(signedTextOf(release)), other).toString('base64');
      writeFileSync(join(downloads, 'agent.json'), JSON.stringify({ ...release, signature }));
      expect((await agent('update', ...args())).output).toContain('is not by the key of this agent');
      const without = join(folder, 'without');
      const built = await ended(process.execPath, [
        BUILD,
        '--no-packages',
        '--compression',
        '0',
        '--out',
        without,
      ]);
      expect(built, built.output).toMatchObject({ code: 0 });
      const { code, output } = await ended(join(without, NAME), ['update', ...args()], {
        TIDEWATCH_API_KEY: product.key,
      });
      expect(code).toBe(1);
      expect(output).toContain('this agent has no key to verify updates with');
      rmSync(without, { recursive: true });
    }, 120_000);
  },
);
