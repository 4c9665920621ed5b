import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(root, 'packages/tools/src/lint/case-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What Biome says of a source in a library of the product. */
function lint(source: string): string {
  const file = join(folder, 'case.ts');
  writeFileSync(file, `${source}\n`);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', '--vcs-enabled=false', file], {
    cwd: root,
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
  "import { parseTime } from '@tidewatch/contracts/values/time';\nparseTime();",
  'export const name = row.host_id;',
  'queue.push = push;',
])('lets pass what patches nothing: %s', (source) => {
  expect(lint(source)).not.toMatch(/library/);
});
