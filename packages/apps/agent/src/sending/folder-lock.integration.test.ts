import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from './folder-lock.ts';

let parent: string;
let folder: string;
const lock = (unique: string, path = folder) => lockFolder(path, unique, createSilentLogger());

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tidewatch-lock-'));
  folder = join(parent, 'buffer');
});
afterEach(() => rmSync(parent, { recursive: true }));

test('a folder that an agent uses is refused to a second one, and free once the first one ends', async () => {
  const first = await lock('1');
  await expect(lock('2')).rejects.toThrow(`--buffer-dir ${folder} is used by another agent that runs`);
  expect(readdirSync(folder)).toEqual(['agent-1.socket']);
  await first.release();
  const second = await lock('2');
  expect(readdirSync(folder)).toEqual(['agent-2.socket']);
  await second.release();
});

test('of several agents that start at the same time at most one gets the folder', async () => {
  const starts = await Promise.allSettled(['1', '2', '3', '4'].map((unique) => lock(unique)));
  const locked = starts.filter((start) => start.status === 'fulfilled');
  expect(locked.length).toBeLessThanOrEqual(1);
  for (const { value } of locked) await value.release();
});

test('an agent that was killed leaves the folder free', async () => {
  const script = `require('node:net').createServer().listen(${JSON.stringify(join(parent, 'agent-0.socket'))}, () => console.log('up'))`;
  const killed = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(killed.stdout, 'data');
  await expect(lock('1', parent)).rejects.toThrow('is used by another agent');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  expect(readdirSync(parent)).toEqual(['agent-0.socket']);
  const own = await lock('1', parent);
  expect(readdirSync(parent)).toEqual(['agent-1.socket']);
  await own.release();
});

test('a folder that cannot be made, or whose path is too long, is refused with the reason', async () => {
  writeFileSync(folder, '');
  await expect(lock('1', join(folder, 'buffer'))).rejects.toThrow(/--buffer-dir .* is not usable: ENOTDIR/);
  await expect(lock('1', join(parent, 'x'.repeat(100)))).rejects.toThrow(
    /its path may have at most 92 bytes/,
  );
});
