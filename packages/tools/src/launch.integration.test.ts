import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { folderForTest } from '@tidewatch/harness/opened';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const launcher = join(root, 'packages/tools/src/launch.mjs');
let folder: string;
let started: ChildProcess | undefined;

beforeEach(() => {
  folder = folderForTest();
  const script = `import { writeFileSync } from 'node:fs';
    process.on('SIGTERM', () => { writeFileSync(${JSON.stringify(join(folder, 'ended'))}, 'SIGTERM'); process.exit(0); });
    setTimeout(() => process.exit(1), 30_000);
    writeFileSync(${JSON.stringify(join(folder, 'running'))}, 'yes');`;
  writeFileSync(join(folder, 'script.ts'), script);
});
afterEach(() => started?.kill('SIGKILL'));

async function file(name: string): Promise<string> {
  for (;;) {
    const path = join(folder, name);
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (text !== '') return text;
    await sleep(50);
  }
}

/** Starts the launcher below a shell that does not pass signals on, like npm's. */
function startBelowShell(): ChildProcess {
  const command = `"${process.execPath}" "${launcher}" "${relative(root, join(folder, 'script.ts'))}"; exit $?`;
  const env = { ...process.env, npm_lifecycle_event: 'start' };
  return spawn('/bin/sh', ['-c', command], { stdio: 'ignore', env });
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'a script does not outlive the shell that npm runs it in: %s',
  async (signal) => {
    started = startBelowShell();
    await file('running');
    started.kill(signal);
    await once(started, 'exit');
    expect(await file('ended')).toBe('SIGTERM');
  },
);

test('compiled modules are kept in the checkout', async () => {
  const script = `import { writeFileSync } from 'node:fs';
    import { getCompileCacheDir } from 'node:module';
    writeFileSync(${JSON.stringify(join(folder, 'kept'))}, String(getCompileCacheDir()));`;
  writeFileSync(join(folder, 'script.ts'), script);
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  started = spawn(process.execPath, [launcher, relative(root, join(folder, 'script.ts'))], { env });
  expect(await file('kept')).toContain(join(root, 'node_modules/.cache/compiled'));
});

interface LockEntry {
  version?: string;
  integrity?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
}
const lock: { packages: Record<string, LockEntry> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
);

test.each(['x64', 'arm64'])(
  'Node for %s is a package with a hash and without an install script',
  (processor) => {
    const entry = lock.packages[`node_modules/node-linux-${processor}`];
    expect(entry).toMatchObject({ integrity: expect.stringMatching(/^sha512-/) });
    expect(entry?.hasInstallScript).toBeUndefined();
    expect(entry?.version).toBe(lock.packages['packages/tools/node']?.version);
  },
);

test('node_modules/node/bin/node runs the Node of the lock file', () => {
  const { stdout } = spawnSync(join(root, 'node_modules/node/bin/node'), ['-p', 'process.version'], {
    encoding: 'utf8',
  });
  expect(stdout.trim()).toBe(`v${lock.packages['packages/tools/node']?.version}`);
});

test('the product runs without the tools of tests and checks', () => {
  const tools = ['vitest', 'testcontainers', '@biomejs/biome', 'typescript', 'turbo', 'smtp-server'];
  const needed = tools.filter((name) => lock.packages[`node_modules/${name}`]?.dev !== true);
  expect(needed).toEqual([]);
});
