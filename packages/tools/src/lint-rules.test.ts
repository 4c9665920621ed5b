import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderForFile } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/**
 * A separate folder with the lint rules of the repository, because other tests read the sources of the repository at the
 * same time.
 */
const workspace = folderForFile();
for (const path of ['biome.json', 'packages/tools/src/lint'])
  cpSync(join(root, path), join(workspace, path), { recursive: true });

/** Returns what Biome reports about a source in a folder of the product. */
function lint(source: string, below = 'packages/tools/src/lint'): string {
  mkdirSync(join(workspace, below), { recursive: true });
  const file = join(workspace, below, 'case.ts');
  writeFileSync(file, `${source}\n`);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', '--vcs-enabled=false', file], {
    cwd: workspace,
    encoding: 'utf8',
  });
  return stdout + stderr;
}

test.each([
  [
    "import { registerHooks } from 'node:module';\nregisterHooks({ load });",
    'A library is not changed at run time',
  ],
  ['Queue.prototype.push = push;', 'A library is not changed at run time'],
  ['prototype.push = push;', 'A library is not changed at run time'],
  ['Object.assign(Queue.prototype, { push });', 'A library is not changed at run time'],
  [
    "Object.defineProperty(Queue.prototype, 'push', { value: push });",
    'A library is not changed at run time',
  ],
  ['Object.setPrototypeOf(request, own);', 'A library is not changed at run time'],
  ["import queue from 'kafkajs/src/network/requestQueue';\nqueue();", 'What a library keeps to itself'],
  ['export const bytes = socket._handle.writeQueueSize;', 'What a library keeps to itself'],
])('refuses to patch a library: %s', (source, message) => {
  expect(lint(source)).toContain(message);
});

test.each([
  "import { parseTime } from '@tidewatch/contracts/time/time';\nparseTime();",
  'export const name = row.host_id;',
  'queue.push = push;',
])('lets pass what patches nothing: %s', (source) => {
  expect(lint(source)).not.toMatch(/library/);
});

const APP = 'An app imports no app';
const OF_SERVICE = 'A service imports neither a service nor an app';

test.each([
  [
    'an app',
    'packages/apps/standalone/src',
    { cli: APP, agent: APP, stack: APP, harness: 'An app imports nothing of the tests' },
  ],
  ['a service', 'packages/services/writer/src', { standalone: OF_SERVICE, gateway: OF_SERVICE }],
])('refuses what %s may not import', (_name, below, messages: Record<string, string>) => {
  const packages = Object.keys(messages);
  const imports = packages.map((name) => `import { part as ${name} } from '@tidewatch/${name}/part';`);
  const said = lint(`${imports.join('\n')}\n${packages.map((name) => `${name}();`).join('\n')}`, below);
  expect(said.match(/An app imports [^.]+|A service imports [^.]+/g)).toEqual(Object.values(messages));
});

test('the lint rules allow an app to import a service', () => {
  const source = "import { openWriter } from '@tidewatch/writer/open-writer';\nopenWriter();";
  expect(lint(source, 'packages/apps/standalone/src')).not.toContain('noRestrictedImports');
});
