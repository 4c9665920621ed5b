import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { FakeService } from '@tidewatch/api-client/testing/fake-service';
import { expect } from 'vitest';
import { runCommand } from '../run.ts';

const KEY = 'tw_0197_secret';

/** Runs a command in this process with a key and the address of `service`, unless `env` overrides them. */
export async function run(
  service: FakeService | undefined,
  args: string[],
  env: Record<string, string> = {},
  input = '',
  openBrowser = async (_url: string) => false,
) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const code = await runCommand({
    args,
    directory: '/',
    input: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    clock: Date.now,
    openBrowser,
    env: { TIDEWATCH_URL: service?.url ?? 'http://127.0.0.1:2', TIDEWATCH_API_KEY: KEY, ...env },
    signal: new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  const [printed, noted] = [await text(stdout), await text(stderr)];
  expect(printed + noted).not.toContain(KEY);
  return { code, stdout: printed, stderr: noted };
}

/** A page of a list in the form of the API's response. */
export const page = (noun: string, list: unknown[]) => ({
  [noun]: list,
  pagination: { total: list.length, has_more: false },
});
