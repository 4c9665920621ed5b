import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createFolderIn, isMemory } from './memory-folder.ts';

const own = mkdtempSync(join(tmpdir(), 'tidewatch-memory-'));
afterAll(() => rmSync(own, { recursive: true, force: true }));

function mountsOf(options: string, point = '/dev/shm'): string {
  const file = join(own, 'mounts');
  writeFileSync(file, `ext4 / ext4 rw 0 0\ntmpfs ${point} tmpfs ${options} 0 0\n`);
  return file;
}

it('a folder in memory holds no tests where programs may not run from it, or where none is mounted', () => {
  expect(isMemory('/dev/shm', mountsOf('rw,noexec'))).toBe(false);
  expect(isMemory('/dev/shm', mountsOf('ro'))).toBe(false);
  expect(isMemory('/dev/shm', mountsOf('rw', '/run'))).toBe(false);
  expect(isMemory(join(own, 'none'), mountsOf('rw', join(own, 'none')))).toBe(false);
  expect(isMemory('/proc', mountsOf('rw', '/proc'))).toBe(false);
});

it('the folder of a run may be used by all users, as /tmp, and replaces those of runs that were killed an hour ago', () => {
  // No process has such a number.
  const [old, recent] = ['old', 'recent'].map((name) => join(own, `tidewatch-tests-${2 ** 23}-${name}`));
  for (const path of [old, recent]) mkdirSync(path as string);
  const before = (Date.now() - 3_700_000) / 1_000;
  utimesSync(old as string, before, before);
  const folder = createFolderIn(own);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  expect([old, recent, folder].map((path) => existsSync(path as string))).toEqual([false, true, true]);
  expect(existsSync(createFolderIn(own)) && existsSync(folder)).toBe(true);
});
