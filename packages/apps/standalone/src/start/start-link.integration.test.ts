import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { folderForFile } from '@tidewatch/harness/opened';
import { descendants } from '@tidewatch/harness/process-tree';
import { PROGRAM_ENVIRONMENT } from '@tidewatch/harness/program-environment';
import { afterEach, describe, expect, it } from 'vitest';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
/** What a start prints last, to a terminal and to a pipe. */
const STARTED = /curl .*\/api\/v1\/services|"event":"ready"/;
const LINK = /(http:\/\/\S+)\/sign-in#link=([\w-]+)/;
const hasTerminals = spawnSync('script', ['--version']).status === 0;

const directory = folderForFile();
let running: ChildProcess | undefined;
afterEach(async () => {
  if (running?.pid === undefined) return;
  const ended = once(running, 'close');
  for (const { pid } of descendants(running.pid).filter(({ pid }) => pid !== running?.pid)) end(pid);
  running.kill('SIGTERM');
  await ended;
  running = undefined;
});

/** Ends a process, which may have ended by itself since it was listed. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Starts the product, in a terminal by `script`, and returns what it has printed once it runs. */
async function start(isTerminal: boolean, env: Record<string, string> = {}): Promise<string> {
  const [program, ...args] = isTerminal
    ? ['script', '-qfec', `exec ${process.execPath} ${MAIN}`, '/dev/null']
    : [process.execPath, MAIN];
  const child = spawn(program as string, args, {
    env: {
      ...PROGRAM_ENVIRONMENT,
      TIDEWATCH_PORT: '0',
      TIDEWATCH_DATA_DIR: directory,
      TIDEWATCH_LOCAL_AGENT: 'off',
      TIDEWATCH_STARTER_RULES: 'off',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running = child;
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      output += text;
    });
  await expect.poll(() => output, { timeout: 300_000, interval: 50 }).toMatch(STARTED);
  return output;
}

describe.skipIf(!hasTerminals)('the sign-in link of a start [needs script of util-linux]', () => {
  it('is printed to a terminal, and signs in once', { timeout: 330_000 }, async () => {
    const [, url, link] = LINK.exec(await start(true)) ?? [];
    const open = () =>
      fetch(`${url}/api/v1/session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Tidewatch-Console': '1' },
        body: JSON.stringify({ link }),
      });
    const first = await open();
    expect(first.status).toBe(201);
    expect(await first.json()).toMatchObject({ scopes: ['read', 'write', 'admin', 'operator'] });
    expect((await open()).status).toBe(401);
  });

  it('is not printed with TIDEWATCH_SIGN_IN_LINK=off', { timeout: 330_000 }, async () => {
    expect(await start(true, { TIDEWATCH_SIGN_IN_LINK: 'off' })).not.toContain('link=');
  });

  it('is not printed into a pipe', { timeout: 330_000 }, async () => {
    expect(await start(false)).not.toContain('link=');
  });
});
