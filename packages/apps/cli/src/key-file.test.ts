import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommand } from './run.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidewatch-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function noted(mode: number): Promise<string> {
  const file = join(folder, 'key');
  writeFileSync(file, 'tw_0_0');
  chmodSync(file, mode);
  const stderr = new PassThrough();
  await runCommand({
    args: ['services', 'list', '--url', 'http://127.0.0.1:1'],
    env: { TIDEWATCH_API_KEY_FILE: file },
    directory: folder,
    input: new PassThrough(),
    stdout: new PassThrough(),
    stderr,
    clock: Date.now,
    openBrowser: async () => false,
    signal: new AbortController().signal,
  });
  stderr.end();
  return (await stderr.toArray()).join('');
}

test('the CLI warns once of a key file that other users may read', async () => {
  expect((await noted(0o644)).match(/other users can read .* \(mode 0644\)/g)).toHaveLength(1);
});

test('the CLI does not warn of a private key file', async () => {
  expect(await noted(0o600)).not.toContain('other users can read');
});
