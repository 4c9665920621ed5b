import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest } from '@tidewatch/harness/opened';
import { beforeEach, expect, test } from 'vitest';
import { DirectoryInUseError, lockDirectory, tryLockDirectory } from './directory-lock.ts';
import { processStart } from './process-start.ts';

let directory: string;
beforeEach(() => {
  directory = folderForTest();
});

test('a second process cannot lock a folder, and learns the pid of the owner, until the folder is released', () => {
  const release = lockDirectory(directory, 0);
  expect(() => lockDirectory(directory, 0)).toThrow(DirectoryInUseError);
  expect(() => lockDirectory(directory, 0)).toThrow(`process ${process.pid}, running since 1970-01-01`);
  release();
  expect(existsSync(join(directory, 'lock'))).toBe(false);
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

test('a directory lock whose file was written incompletely is taken over', () => {
  writeFileSync(join(directory, 'lock'), '{"pid":');
  lockDirectory(directory, 0)();
});

test('a folder that a copy of an earlier version has locked is refused', () => {
  const parent = { pid: process.ppid, start: processStart(process.ppid), since: '2026-01-01T00:00:00.000Z' };
  writeFileSync(join(directory, 'lock'), JSON.stringify(parent));
  expect(() => lockDirectory(directory, 0)).toThrow(`process ${process.ppid}, running since 2026-01-01`);
});

const SELF = new URL('./directory-lock.ts', import.meta.url).href;
const HOLD = `const { lockDirectory } = await import(process.argv[1]);
lockDirectory(process.argv[2], 0);
console.log('locked');
setInterval(() => {}, 1000);`;
const TAKE = `const { tryLockDirectory } = await import(process.argv[1]);
console.log(tryLockDirectory(process.argv[2], 0) === null ? 'refused' : 'taken');`;
const script = (source: string) => ['--input-type=module', '--eval', source, SELF, directory];

test('the directory lock of a killed process ends with the process', async () => {
  const other = spawn(process.execPath, script(HOLD), { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  expect(tryLockDirectory(directory, 0)).toBeNull();
  other.kill('SIGKILL');
  await once(other, 'exit');
  lockDirectory(directory, 0)();
});

const namespaces = spawnSync('unshare', ['--pid', '--fork', '--ipc', 'true']).status === 0;
test.skipIf(!namespaces)(
  'a process in another PID namespace, as a second container on the same volume, is refused [needs unshare]',
  () => {
    const release = lockDirectory(directory, 0);
    const args = ['--pid', '--fork', '--ipc', '--mount-proc', process.execPath, ...script(TAKE)];
    expect(spawnSync('unshare', args, { encoding: 'utf8' }).stdout.trim()).toBe('refused');
    release();
    expect(spawnSync('unshare', args, { encoding: 'utf8' }).stdout.trim()).toBe('taken');
  },
);
