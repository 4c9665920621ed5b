import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest } from '@tidewatch/harness/opened';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { beforeEach, expect, it } from 'vitest';
import { prepareSecretKey } from './secret-key.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = folderForTest();
  file = join(directory, 'secret-key');
});

it('the secret key is created once, readable by its owner only', () => {
  const made = prepareSecretKey(directory, undefined);
  expect(made).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Buffer.from(prepareSecretKey(directory, undefined))).toEqual(Buffer.from(made));
  expect(readFileSync(file, 'utf8').trim()).toBe(Buffer.from(made).toString('hex'));
});

it('a given secret key is used, and none is created', () => {
  const given = Buffer.alloc(32, 1);
  expect(prepareSecretKey(directory, given)).toBe(given);
  expect(() => readFileSync(file)).toThrow('ENOENT');
});

it('a secret key that cannot be read prevents the start, and is not replaced', () => {
  writeFileSync(file, 'half a key');
  expect(() => prepareSecretKey(directory, undefined)).toThrow(StartRefusedError);
  expect(readFileSync(file, 'utf8')).toBe('half a key');
});
