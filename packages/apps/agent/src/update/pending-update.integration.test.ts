import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordSent, refusedVersion, settleUpdate, writePending } from './pending-update.ts';

const SINCE = 1_795_000_000_000;
let folder: string;
let executable: string;
const settle = (seconds: number, isStart = true) =>
  settleUpdate(executable, folder, SINCE + seconds * 1_000, isStart);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-pending-'));
  executable = join(folder, 'tidewatch-agent');
  writeFileSync(executable, 'new');
  writeFileSync(`${executable}.previous`, 'former');
  writePending(executable, { version: '0.2.0', since: SINCE, starts: 0 });
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a version that sent a payload after the update is kept', () => {
  expect(settle(1)).toBe('pending');
  recordSent(folder, '0.2.0');
  expect([settle(10, false), settle(400)]).toEqual(['confirmed', 'none']);
  expect(readFileSync(executable, 'utf8')).toBe('new');
});

test('a version that is started a fourth time without having sent is rolled back', () => {
  expect([settle(0), settle(5), settle(10), settle(15)]).toEqual([
    'pending',
    'pending',
    'pending',
    'rolled back',
  ]);
  expect([readFileSync(executable, 'utf8'), refusedVersion(executable), settle(20)]).toEqual([
    'former',
    '0.2.0',
    'none',
  ]);
  expect(existsSync(`${executable}.previous`)).toBe(false);
});

test.each([
  ['more than five minutes after the update', 301],
  ['when the clock went back', -1],
])('a version that did not send is rolled back %s', (_, seconds) => {
  expect(settle(seconds, false)).toBe('rolled back');
  expect(readFileSync(executable, 'utf8')).toBe('former');
});

test('a payload of the same version before the update, or of another one, confirms nothing', () => {
  recordSent(folder, '0.2.0');
  utimesSync(join(folder, 'sent-version'), SINCE / 1_000 - 60, SINCE / 1_000 - 60);
  expect(settle(1)).toBe('pending');
  recordSent(folder, '0.1.0');
  expect(settle(2)).toBe('pending');
});

test('what the user of the agent puts in place of its record confirms nothing and does not block', () => {
  writeFileSync(join(folder, 'other'), '0.2.0\n');
  symlinkSync(join(folder, 'other'), join(folder, 'sent-version'));
  expect(settle(1)).toBe('pending');
  rmSync(join(folder, 'sent-version'));
  execFileSync('mkfifo', [join(folder, 'sent-version')]);
  expect(settle(2)).toBe('pending');
});

test('a damaged record of an update is rolled back', () => {
  writeFileSync(`${executable}.pending`, '{');
  expect(settle(1)).toBe('rolled back');
});
