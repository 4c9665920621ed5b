import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForFile } from '@tidewatch/harness/opened';
import { expect, test } from 'vitest';
import { makeFolder, makeNamedFolder } from './make-folder.ts';

const folder = folderForFile();

test('makeFolder creates missing parent folders, each with the same mode, and accepts an existing folder', () => {
  makeFolder(join(folder, 'a', 'b'), 0o711);
  makeFolder(join(folder, 'a', 'b'), 0o711);
  for (const path of ['a', 'a/b']) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o711);
});

test.runIf(process.platform === 'linux')(
  'makeFolder rejects where the kernel refuses to create a folder',
  () => {
    expect(() => makeFolder('/proc/tidewatch/cache')).toThrow('ENOENT');
  },
);

test('the error about a folder that cannot be created names its setting', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'below')])
    expect(() => makeNamedFolder('TIDEWATCH_CACHE_DIR', path)).toThrow(
      `TIDEWATCH_CACHE_DIR: ${path} cannot be used: ${file} is a file. Name a folder that this user may write.`,
    );
});
