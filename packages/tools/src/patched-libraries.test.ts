import { spawnSync } from 'node:child_process';
import { copyFileSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderForTest } from '@tidewatch/harness/opened';
import { beforeEach, describe, expect, test } from 'vitest';
import { applyPatches, patchState } from './apply-patches.mjs';
import { faultsOfPatches, textsOf } from './patched-libraries.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const PATCH = `diff --git a/node_modules/kafkajs/index.js b/node_modules/kafkajs/index.js
--- a/node_modules/kafkajs/index.js
+++ b/node_modules/kafkajs/index.js
@@ -1,3 +1,3 @@
 one
-two
+2
 three
`;

test('reads the texts that a patch leaves in each file', () => {
  expect([...textsOf(PATCH)]).toEqual([['node_modules/kafkajs/index.js', ['one\n2\nthree\n']]]);
});

test('finds every library of this checkout patched, and its reasons written down', () => {
  expect(faultsOfPatches(root)).toEqual([]);
});

describe('an installation of a library that has no patch yet', () => {
  const library = () => join(folder, 'node_modules/kafkajs/index.js');
  beforeEach(() => {
    mkdirSync(join(folder, 'patches'), { recursive: true });
    mkdirSync(join(folder, 'node_modules/kafkajs'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}');
    writeFileSync(join(folder, 'patches/kafkajs+2.2.4.patch'), PATCH);
    writeFileSync(join(folder, 'patches/README.md'), '# Patches\n\n## kafkajs 2.2.4\n');
    writeFileSync(join(folder, 'node_modules/kafkajs/package.json'), '{"name":"kafkajs","version":"2.2.4"}');
    writeFileSync(library(), 'one\ntwo\nthree\n');
    symlinkSync(join(root, 'node_modules/patch-package'), join(folder, 'node_modules/patch-package'));
  });

  test('is found, is patched offline, and is then left alone', () => {
    expect(faultsOfPatches(folder)).toEqual([
      'node_modules/kafkajs/index.js lacks what patches/kafkajs+2.2.4.patch changes: run "npm ci"',
    ]);
    expect(patchState(folder)).toMatchObject({ folders: ['node_modules/kafkajs'], isApplied: false });
    expect(applyPatches(folder)).toBe(true);
    expect(readFileSync(library(), 'utf8')).toBe('one\n2\nthree\n');
    expect(patchState(folder).isApplied).toBe(true);
    expect(faultsOfPatches(folder)).toEqual([]);
    expect(applyPatches(folder)).toBe(true);
    expect(readFileSync(library(), 'utf8')).toBe('one\n2\nthree\n');
  });

  test('shares no file with another installation once it is patched', () => {
    linkSync(library(), join(folder, 'shared.js'));
    expect(applyPatches(folder)).toBe(true);
    expect(readFileSync(join(folder, 'shared.js'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  test('does not count as patched when a patch has changed', () => {
    applyPatches(folder);
    writeFileSync(join(folder, 'patches/kafkajs+2.2.4.patch'), PATCH.replace('+2', '+II'));
    expect(patchState(folder).isApplied).toBe(false);
  });

  test('does not count as patched when the library came back as it was', () => {
    const marked = PATCH.replace('+2', "+  patched: 'tidewatch 2',");
    writeFileSync(join(folder, 'patches/kafkajs+2.2.4.patch'), marked);
    applyPatches(folder);
    expect(patchState(folder).isApplied).toBe(true);
    writeFileSync(library(), "one\n  patched: 'tidewatch 1',\nthree\n");
    expect(patchState(folder).isApplied).toBe(false);
  });

  test('fails when a patch does not apply', () => {
    writeFileSync(library(), 'another release\n');
    expect(applyPatches(folder)).toBe(false);
    expect(patchState(folder).isApplied).toBe(false);
  });
});

test.each([
  [
    'postgres',
    'packages/libs/database/src/driver.ts',
    'export default Object.assign(() => {}, { PostgresError: Error });',
  ],
  ['kafkajs', 'packages/libs/bus/src/kafka/client.ts', 'export default {};'],
])('a process that is started with an unpatched %s ends with what to do', (library, wrapper, source) => {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, library), { recursive: true });
  mkdirSync(join(modules, '@tidewatch'));
  symlinkSync(join(root, 'packages/libs/contracts'), join(modules, '@tidewatch/contracts'));
  writeFileSync(join(modules, library, 'package.json'), '{"type":"module","exports":"./index.js"}');
  writeFileSync(join(modules, library, 'index.js'), source);
  copyFileSync(join(root, wrapper), join(folder, 'wrapper.ts'));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'wrapper.ts')], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain(`The installed package ${library} has no patch`);
  expect(stderr).toContain('Run "npm ci"');
});
