import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refreshed } from './refreshed.ts';
import { commandRunner } from './run-command.ts';

/** Runs `script` as the command `odd` in a folder of its own. */
async function runScript(script: string, timeoutMs = 5_000, mode = 0o755) {
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-command-'));
  try {
    writeFileSync(join(folder, 'odd'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, 'odd'), mode);
    return await commandRunner(folder, timeoutMs)('odd', ['one', 'two words']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a command gives its output and exit code, in English and with its arguments as they are', async () => {
  expect(await runScript('echo "$2 $LC_ALL $HOME"; exit 4')).toEqual({ code: 4, stdout: 'two words C \n' });
});

test('a command that is missing or may not be run gives nothing', async () => {
  expect(await commandRunner('/nonexistent')('odd', [])).toBeUndefined();
  expect(await runScript('echo', 5_000, 0o644)).toBeUndefined();
});

test('a command that does not end is killed, and the error says so', async () => {
  await expect(runScript('while :; do :; done', 200)).rejects.toThrow('odd did not end within 200 ms');
});

test('what is refreshed in the background is returned at once, and read again after its time alone', async () => {
  let reads = 0;
  const read = refreshed(60_000, async () => {
    reads += 1;
    if (reads === 2) throw new Error('broken');
    return reads;
  });
  const settle = () => new Promise(setImmediate);
  expect(read(0)).toBeUndefined();
  await settle();
  expect([read(10_000), read(59_000)]).toEqual([1, 1]);
  expect(read(60_000)).toBe(1);
  await settle();
  expect(() => read(61_000)).toThrow('broken');
  expect(() => read(120_000)).toThrow('broken');
  await settle();
  expect(read(121_000)).toBe(3);
});
