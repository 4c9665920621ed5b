import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Target } from './target.ts';

export const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));
const MAIN = `${CHECKOUT}packages/apps/cli/src/main.ts`;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Invocation {
  env?: Record<string, string>;
  input?: string;
}

/** The command line `tidewatch` as a process of its own, with the address and key of a target. */
export function createCommandLine(target: Pick<Target, 'url' | 'key'>) {
  function start(args: readonly string[], { env = {} }: Invocation = {}): ChildProcessWithoutNullStreams {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TIDEWATCH_'));
    return spawn(process.execPath, [MAIN, ...args], {
      cwd: CHECKOUT,
      env: {
        ...Object.fromEntries(inherited),
        ...{ TIDEWATCH_URL: target.url, TIDEWATCH_API_KEY: target.key, TIDEWATCH_DATA_DIR: '/nowhere' },
        ...env,
      },
    });
  }

  /** Runs it to its end. */
  async function run(args: readonly string[], invocation: Invocation = {}): Promise<Ended> {
    const child = start(args, invocation);
    child.stdin.end(invocation.input ?? '');
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    expect(stdout + stderr, 'the key must not be shown').not.toContain(target.key);
    return { code, stdout, stderr };
  }

  return {
    start,
    run,
    /** Expects exit code 0; answers what was printed. */
    async say(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(args);
      expect(code, stderr).toBe(0);
      return stdout;
    },
    /** The same with --json, as the object it is. */
    // biome-ignore lint/suspicious/noExplicitAny: scenarios read members of answers whose schemas are tested elsewhere
    async json(...args: string[]): Promise<any> {
      const { code, stdout, stderr } = await run([...args, '--json']);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    },
  };
}
