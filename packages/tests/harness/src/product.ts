import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { descendants } from './process-tree.ts';

const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));
const PROGRAM = 'packages/apps/standalone/src/main.ts';
const PROGRAM_OF_TESTS = 'packages/tests/harness/src/suite/product-of-tests.ts';
/** The variables by which tests choose what the product has no setting for. */
const CHOICES = ['TIDEWATCH_TEST_SAMPLE_LAYOUT', 'TIDEWATCH_TEST_SEAL_MS'];

/** A copy of the product, started as a user starts it, on separate data. */
export interface Product {
  url: string;
  key: string;
  dataDir: string;
  /** The process id of the root of the product's process tree. */
  pid(): number;
  /** Starts the product again; `settings` are added to its environment for this start. */
  start(settings?: Variables): Promise<void>;
  /** Stops the product by SIGTERM, as a user does. */
  stop(): Promise<void>;
  /** Kills every process of the tree at once by SIGKILL. */
  kill(): Promise<void>;
  /** Makes every process of the tree stand still by SIGSTOP; returns what makes them go on. */
  halt(): () => void;
  /** The end of what the product printed and logged. */
  output(): string;
  /** Returns everything that the product printed and logged. */
  log(): string;
  /** Ends the product and removes its data. */
  remove(): Promise<void>;
}

export type Variables = Readonly<Record<string, string>>;

/**
 * Prepares a copy of the product in one process, with a fresh data directory, a free port, a key and no rules; `settings`
 * are added to its environment. The script `start` is run as npm does, but without npm, which takes half a second of
 * processor time: `createProductOfNpm` runs it by `npm start`. Over HTTPS the calling process has to trust its certificate.
 * TIDEWATCH_TEST_SAMPLE_LAYOUT and TIDEWATCH_TEST_SEAL_MS say how the copy keeps samples, if they are set here or in `settings`.
 */
export async function createProduct(settings: Variables = {}): Promise<Product> {
  const { scripts } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
  const path = [join(CHECKOUT, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const chosen = Object.entries({ ...process.env, ...settings }).filter(
    ([name, value]) => CHOICES.includes(name) && value,
  );
  return prepare({
    command: [
      'sh',
      '-c',
      chosen.length > 0 ? scripts.start.replace(PROGRAM, PROGRAM_OF_TESTS) : scripts.start,
    ],
    settings: { PATH: path, ...Object.fromEntries(chosen), ...settings },
    endsWithinMs: 20_000,
  });
}

/** As `createProduct`, by `npm start`. */
export function createProductOfNpm(settings: Variables = {}): Promise<Product> {
  return prepare({ command: ['npm', 'start'], settings, endsWithinMs: 20_000 });
}

/**
 * Prepares a copy of the product with a process for each service (`npm run stack`); `args` set their numbers, such as
 * `--writers 2`.
 */
export function createStack(args: readonly string[] = [], settings: Variables = {}): Promise<Product> {
  const parts = Object.entries(process.env).filter(([name]) => name.startsWith('TIDEWATCH_TEST_'));
  const given = Object.fromEntries(parts) as Variables;
  return prepare({
    command: ['npm', 'run', 'stack', '--', ...args],
    settings: { ...given, ...settings },
    endsWithinMs: 60_000,
  });
}

interface Preparation {
  command: readonly [program: string, ...args: string[]];
  settings: Variables;
  endsWithinMs: number;
}

async function prepare({ command, settings, endsWithinMs }: Preparation): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tidewatch-product-'));
  const port = settings['TIDEWATCH_PORT'] ?? String(await freePort());
  const scheme = settings['TIDEWATCH_TLS_CERT_FILE'] === undefined ? 'http' : 'https';
  const key = `harness-${randomBytes(24).toString('hex')}`;
  const url = `${scheme}://127.0.0.1:${port}`;
  const file = join(tmpdir(), `${dataDir.split('/').at(-1)}.log`);
  const [program, ...args] = command;
  let child: ChildProcess | undefined;

  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TIDEWATCH_'));
  const env = {
    ...Object.fromEntries(inherited),
    TIDEWATCH_DATA_DIR: dataDir,
    TIDEWATCH_PORT: port,
    TIDEWATCH_BOOTSTRAP_KEY: key,
    TIDEWATCH_LOCAL_AGENT: 'off',
    TIDEWATCH_STARTER_RULES: 'off',
    ...settings,
  };

  const log = () => readFileSync(file, 'utf8');
  const output = () => log().slice(-4000);

  async function start(more: Variables = {}): Promise<void> {
    const out = openSync(file, 'a');
    child = spawn(program, args, {
      cwd: CHECKOUT,
      env: { ...env, ...more },
      stdio: ['ignore', out, out],
      detached: true,
    });
    closeSync(out);
    const started = child;
    const deadline = performance.now() + 180_000;
    while (!(await isReady(url))) {
      if (started.exitCode !== null || performance.now() > deadline) {
        throw new Error(`The product did not start:\n${output()}`);
      }
      await sleep(100);
    }
  }

  async function ended(pids: readonly number[]): Promise<void> {
    for (const deadline = performance.now() + endsWithinMs; pids.some(isAlive); await sleep(50)) {
      if (performance.now() > deadline)
        throw new Error(`processes are still running: ${pids.filter(isAlive).join(' ')}`);
    }
  }

  async function signal(name: NodeJS.Signals): Promise<void> {
    if (child?.pid === undefined) return;
    const pids = descendants(child.pid).map((process) => process.pid);
    if (name === 'SIGKILL') for (const pid of pids) kill(pid, name);
    else kill(-child.pid, name);
    child = undefined;
    await ended(pids);
  }

  return {
    url,
    key,
    dataDir,
    pid: () => child?.pid ?? 0,
    start,
    output,
    log,
    stop: () => signal('SIGTERM'),
    kill: () => signal('SIGKILL'),
    halt() {
      const pids = child?.pid === undefined ? [] : descendants(child.pid).map((process) => process.pid);
      for (const pid of pids) kill(pid, 'SIGSTOP');
      return () => {
        for (const pid of pids) kill(pid, 'SIGCONT');
      };
    },
    async remove() {
      await signal('SIGTERM').catch(() => signal('SIGKILL'));
      rmSync(dataDir, { recursive: true, force: true });
      rmSync(file, { force: true });
    },
  };
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has ended since it was listed.
  }
}

// Whether a process is alive. A killed process whose parent was killed too stays a zombie until init collects it, and
// counts as ended once its last thread has: until then it keeps its files and their locks.
function isAlive(pid: number): boolean {
  try {
    const [, state] = /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state === 'Z' ? readdirSync(`/proc/${pid}/task`).length > 1 : state !== 'X';
  } catch {
    return false;
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })).status === 200;
  } catch {
    return false;
  }
}
