import { mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fixedKey, keyOfFile } from './key-source.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-key-'));
  file = join(folder, 'key');
  writeFileSync(file, 'first\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the key source reads a changed key file again', () => {
  const keys = keyOfFile(file, 'first');
  expect(keys.current()).toBe('first');
  writeFileSync(file, 'second, longer\n');
  expect(keys.current()).toBe('second, longer');
});

test('the key source reads a key file again when the link to it is swapped', () => {
  const link = join(folder, 'link');
  symlinkSync(file, link);
  const keys = keyOfFile(link, 'first');
  writeFileSync(join(folder, 'other'), 'other');
  symlinkSync(join(folder, 'other'), join(folder, 'swap'));
  renameSync(join(folder, 'swap'), link);
  expect(keys.current()).toBe('other');
});

test('the key source keeps the previous key while the key file is empty or missing', () => {
  const keys = keyOfFile(file, 'first');
  writeFileSync(file, '\n');
  expect(keys.current()).toBe('first');
  rmSync(file);
  expect(keys.current()).toBe('first');
  expect(keys.reread()).toBe(false);
  writeFileSync(file, 'back');
  expect(keys.reread()).toBe(true);
  expect(keys.current()).toBe('back');
});

test('the key source never changes a key from an argument', () => {
  expect(fixedKey('k')).toMatchObject({ file: null });
  expect(fixedKey('k').reread()).toBe(false);
});
