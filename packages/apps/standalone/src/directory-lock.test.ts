import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DirectoryInUseError, lockDirectory, lockHolder } from './directory-lock.ts';
import { processStart } from './process-start.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidewatch-lock-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a second taker is told who holds it, until it is given back', () => {
  const release = lockDirectory(directory, 0);
  expect(() => lockDirectory(directory, 0)).toThrow(DirectoryInUseError);
  expect(() => lockDirectory(directory, 0)).toThrow(`process ${process.pid}, running since 1970-01-01`);
  release();
  expect(lockHolder(directory)).toBeNull();
  lockDirectory(directory, 0)();
});

test.each([
  ['no process', { pid: 2 ** 30, start: 'x', since: '' }],
  ['another process of the same number', { pid: process.pid, start: 'an earlier boot', since: '' }],
])('a lock of %s is taken over', (_name, holder) => {
  writeFileSync(join(directory, 'lock'), JSON.stringify(holder));
  const release = lockDirectory(directory, 0);
  expect(JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'))).toMatchObject({
    pid: process.pid,
    start: processStart(process.pid),
  });
  release();
});

test('a lock that was cut off while it was written is taken over', () => {
  writeFileSync(join(directory, 'lock'), '{"pid":');
  lockDirectory(directory, 0)();
});
