import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { folderForTest } from '@tidewatch/harness/opened';
import { beforeEach, expect, it } from 'vitest';
import { buildConsole, consoleFolder, isBuilt, removeOldFolders, wantsConsole } from './console-build.mjs';

let root: string;
beforeEach(() => {
  root = folderForTest();
  for (const name of ['api-client', 'contracts', 'domain']) write(`packages/libs/${name}/src/a.ts`, name);
  write('package-lock.json', '{}');
  write('docs/agents/README.md', '# Agents');
  write('packages/apps/console/index.html', '<p>');
  write('packages/apps/console/src/main.tsx', 'render();');
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

it.each([
  ['packages/apps/console/src/main.tsx', true],
  ['packages/apps/console/src/new.ts', true],
  ['packages/libs/contracts/src/a.ts', true],
  ['package-lock.json', true],
  ['packages/apps/console/src/main.test.ts', false],
  ['packages/apps/console/README.md', false],
  ['docs/agents/prometheus.md', true],
  ['packages/apps/console/node_modules/a/index.js', false],
  ['packages/services/writer/src/a.ts', false],
])('a change of %s makes another folder: %s', (path, isOther) => {
  const before = consoleFolder(root);
  expect(consoleFolder(root)).toBe(before);
  write(path, 'changed');
  expect(consoleFolder(root) !== before).toBe(isOther);
});

it('keeps the folder in use and the newest of the others, and removes what killed builds have left', () => {
  const cache = dirname(consoleFolder(root));
  const now = Date.now();
  const ages: Record<string, number> = {
    aaaaaaaaaaaaaaaa: 3,
    bbbbbbbbbbbbbbbb: 2,
    cccccccccccccccc: 4,
    'dddddddddddddddd.1.unfinished': 2,
    'eeeeeeeeeeeeeeee.2.unfinished': 0,
  };
  for (const [name, hours] of Object.entries(ages)) {
    mkdirSync(join(cache, name), { recursive: true });
    utimesSync(join(cache, name), (now - hours * 3_600_000) / 1_000, (now - hours * 3_600_000) / 1_000);
  }
  removeOldFolders(join(cache, 'cccccccccccccccc'), now);
  expect(readdirSync(cache).sort()).toEqual([
    'bbbbbbbbbbbbbbbb',
    'cccccccccccccccc',
    'eeeeeeeeeeeeeeee.2.unfinished',
  ]);
});

it('leaves the output of a build that failed, and removes it when the build succeeds', async () => {
  const folder = consoleFolder(root);
  write('packages/apps/console/build/main.ts', "console.error('no such module'); process.exit(1);");
  expect(await buildConsole(root, folder, process.execPath).done).toEqual({
    ok: false,
    output: 'no such module\n',
  });
  expect([isBuilt(folder), readFileSync(`${folder}.failed`, 'utf8')]).toEqual([false, 'no such module\n']);
  write(
    'packages/apps/console/build/main.ts',
    `import { mkdirSync, writeFileSync } from 'node:fs';
     import { getPriority } from 'node:os';
     const folder = process.argv[2];
     mkdirSync(folder);
     writeFileSync(folder + '/index.html', String(getPriority()));`,
  );
  expect(await buildConsole(root, folder, process.execPath, true).done).toEqual({ ok: true, output: '' });
  expect([isBuilt(folder), existsSync(`${folder}.failed`)]).toEqual([true, false]);
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe(`${Math.min(19, getPriority() + 19)}`);
});

it('reports a build that failed although its output cannot be stored, as on a full disk', async () => {
  const folder = consoleFolder(root);
  write('packages/apps/console/build/main.ts', 'process.exit(1);');
  const { done } = buildConsole(root, folder, process.execPath);
  // A folder of that name refuses the file.
  mkdirSync(`${folder}.failed`);
  expect((await done).ok).toBe(false);
});

it('goes on without an error where old builds cannot be removed', () => {
  expect(() => removeOldFolders(join(root, 'no/such/cache'), Date.now())).not.toThrow();
});

it('leaves nothing of a build that was ended', async () => {
  const folder = consoleFolder(root);
  write('packages/apps/console/build/main.ts', 'setInterval(() => {}, 1_000);');
  const { child, done } = buildConsole(root, folder, process.execPath, true);
  child.kill('SIGTERM');
  expect([(await done).ok, existsSync(`${folder}.failed`)]).toEqual([false, false]);
});

it.each([
  [{}, true],
  [{ TIDEWATCH_CONSOLE: 'on' }, true],
  [{ TIDEWATCH_CONSOLE: 'OFF' }, false],
  [{ TIDEWATCH_CONSOLE: '0' }, false],
  [{ TIDEWATCH_CONSOLE_DIR: '/built' }, false],
])('a start with %o builds a console: %s', (env, wanted) => {
  expect(wantsConsole(env)).toBe(wanted);
});
