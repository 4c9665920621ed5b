import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { folderForFile } from '@tidewatch/harness/opened';
import { PROGRAM_ENVIRONMENT } from '@tidewatch/harness/program-environment';
import { afterEach, describe, expect, test } from 'vitest';
import { readPasswords } from './data-directory/data-directory.ts';
import { connectAdmin, DATABASE } from './database.ts';
import { serverProcesses } from './postgres/pid-file.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));
const PAYLOAD = JSON.stringify({ host: 'a', metrics: { cpu_percent: 1 } });

interface Copy {
  process: ChildProcess;
  output(): string;
  /** The standard output. */
  printed(): string;
  /** Resolves with the product's address; rejects with its output if the process ends first. */
  ready: Promise<string>;
}

const running = new Set<ChildProcess>();

function start(directory: string, env: Record<string, string> = {}, args: string[] = []): Copy {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: {
      ...PROGRAM_ENVIRONMENT,
      TIDEWATCH_PORT: '0',
      TIDEWATCH_DATA_DIR: directory,
      TIDEWATCH_LOCAL_AGENT: 'off',
      TIDEWATCH_STARTER_RULES: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  let printed = '';
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      output += text;
      printed += text;
      const url = /^{"event":"ready","url":"([^"]+)"/m.exec(output)?.[1];
      if (url) {
        resolve(url);
      }
    });
    child.stderr.on('data', (text) => {
      output += text;
    });
    child.once('close', () => reject(new Error(output)));
  });
  ready.catch(() => {});
  return { process: child, output: () => output, printed: () => printed, ready };
}

async function end(copy: Copy, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(copy.process, 'exit');
  copy.process.kill(signal);
  const [code] = await exit;
  return code;
}

/** The number of checkpoints that were requested since the server was created. */
async function requestedCheckpoints(directory: string): Promise<number> {
  const { postgres } = readPasswords(directory);
  const store = connectAdmin(join(directory, 'postgres/run'), 5432, postgres, DATABASE);
  const [row] = await store.sql<{ count: number }[]>`
    select num_requested::integer as count from pg_stat_checkpointer`;
  await store.close();
  return row?.count ?? 0;
}

const folder = folderForFile();
afterEach(() => {
  for (const child of running) {
    child.kill('SIGKILL');
  }
});

describe('a data directory through its life', () => {
  const server = () => serverProcesses(join(folder, 'life', 'postgres', 'data'));
  let key: string;

  test('the first start creates a key, shows it once in addition to JSON log lines, and stores it in a private file', async () => {
    const directory = join(folder, 'life');
    const copy = start(directory);
    const url = await copy.ready;
    const file = join(directory, 'admin-key');
    key = readFileSync(file, 'utf8').trim();
    expect(key).toMatch(/^tw_[0-9a-f]+_[0-9a-f]{64}$/);
    await expect.poll(() => copy.output().split(key)).toHaveLength(2);
    expect(copy.printed()).not.toContain(key);
    const ready = copy
      .printed()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .find((line) => line.event === 'ready');
    expect(ready).toEqual({
      event: 'ready',
      url,
      docs: `${url}/docs`,
      version: '0.1.0',
      admin_key_file: file,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const answer = await fetch(`${url}/api/v1/services`, { headers: { 'X-API-Key': key } });
    expect(answer.status).toBe(200);
    await expect.poll(() => requestedCheckpoints(directory)).toBeGreaterThan(0);
    expect(await end(copy, 'SIGTERM')).toBe(0);
    expect(server()).toEqual([]);
  });

  test('a second process reports the process that uses the folder, and a second start shows no key', async () => {
    const directory = join(folder, 'life');
    const copy = start(directory);
    await copy.ready;
    const second = start(directory);
    await expect(second.ready).rejects.toThrow(`in use by process ${copy.process.pid}`);
    expect(second.process.exitCode).toBe(1);
    expect(copy.output()).not.toContain(key);
    expect(await end(copy, 'SIGINT')).toBe(0);
  });

  test('after kill -9 the database server ends by itself, and the next start succeeds', async () => {
    const directory = join(folder, 'life');
    const copy = start(directory);
    await copy.ready;
    await end(copy, 'SIGKILL');
    for (const deadline = Date.now() + 10_000; server().length > 0 && Date.now() < deadline; ) {
      await sleep(50);
    }
    expect(server()).toEqual([]);
    const next = start(directory);
    await next.ready;
    expect(await end(next, 'SIGTERM')).toBe(0);
  });
});

describe('the local agent', () => {
  const directory = () => join(folder, 'agent');
  const admin = 'a'.repeat(32);

  interface Key {
    id: string;
    digest: string;
    scopes: string[];
    revoked: boolean;
  }
  async function agentKey(): Promise<Key | undefined> {
    const { postgres } = readPasswords(directory());
    const store = connectAdmin(join(directory(), 'postgres/run'), 5432, postgres, DATABASE);
    const [key] = await store.sql<Key[]>`
      select id, encode(secret_sha256, 'hex') as digest, scopes, revoked_at is not null as revoked
      from api_keys where name = 'local agent'`;
    await store.close();
    return key;
  }
  interface Host {
    id: string;
    name: string;
    metrics: Record<string, number>;
  }
  async function get<T>(url: string, path: string): Promise<T> {
    const answer = await fetch(`${url}/api/v1${path}`, { headers: { 'X-API-Key': admin } });
    return (await answer.json()) as T;
  }
  const hosts = async (url: string) => (await get<{ services: Host[] }>(url, '/services')).services;

  // Three starts.
  test('has a key that may only ingest, new at each start and revoked without it', {
    timeout: 300_000,
  }, async () => {
    const env = { TIDEWATCH_LOCAL_AGENT: 'on', TIDEWATCH_BOOTSTRAP_KEY: admin };
    const first = start(directory(), env);
    const url = await first.ready;
    await expect.poll(() => hosts(url)).toHaveLength(1);
    // Metrics of Tidewatch itself, which the same host reports.
    const figures = {
      tidewatch_lag_seconds: expect.any(Number),
      tidewatch_dead_letters_per_minute: 0,
      tidewatch_job_failures_per_minute: 0,
      tidewatch_notifications_oldest_seconds: 0,
      tidewatch_processes_away: 0,
    };
    const [host] = await hosts(url);
    expect(host?.name).toBe(hostname());
    await expect
      .poll(async () => (await get<Host>(url, `/services/${host?.id}`)).metrics)
      .toMatchObject({ ...figures, memory_percent: expect.any(Number) });
    const key = await agentKey();
    expect(key).toMatchObject({ scopes: ['ingest'], revoked: false });
    expect(await end(first, 'SIGTERM')).toBe(0);
    expect(first.output()).not.toContain('tw_');

    // As after a restore, when no file of the data directory contains a key.
    rmSync(join(directory(), 'admin-key'));
    const second = start(directory(), { TIDEWATCH_LOCAL_AGENT: 'on' });
    await second.ready;
    const next = await agentKey();
    expect(next).toMatchObject({ id: key?.id, revoked: false });
    expect(next?.digest).not.toBe(key?.digest);
    expect(await end(second, 'SIGTERM')).toBe(0);

    const third = start(directory());
    await third.ready;
    expect(await agentKey()).toMatchObject({ revoked: true });
    expect(await end(third, 'SIGTERM')).toBe(0);
  });
});

describe('the starter set of rules', () => {
  const key = 's'.repeat(32);
  const on = { TIDEWATCH_STARTER_RULES: 'on', TIDEWATCH_BOOTSTRAP_KEY: key };
  const headers = { 'X-API-Key': key };

  async function externalIds(url: string): Promise<string[]> {
    const answer = await fetch(`${url}/api/v1/alerts/rules`, { headers });
    const { rules } = (await answer.json()) as { rules: { external_id: string }[] };
    return rules.map((rule) => rule.external_id);
  }

  test('is created by the first start only, and stays deleted', async () => {
    const directory = join(folder, 'starter');
    const first = start(directory, on);
    const url = await first.ready;
    const made = await externalIds(url);
    expect(made.filter((id) => id.startsWith('starter/'))).toHaveLength(19);
    const body = '{"rules":[],"prune":true}';
    const put = { method: 'PUT', headers: { ...headers, 'Content-Type': 'application/json' }, body };
    expect((await fetch(`${url}/api/v1/alerts/rules`, put)).status).toBe(200);
    expect(await end(first, 'SIGTERM')).toBe(0);
    const second = start(directory, on);
    expect(await externalIds(await second.ready)).toEqual([]);
    expect(await end(second, 'SIGTERM')).toBe(0);
  });

  test('is not created if hosts have reported before, or if it is disabled', async () => {
    const directory = join(folder, 'no-starter');
    const first = start(directory, { TIDEWATCH_BOOTSTRAP_KEY: key });
    const url = await first.ready;
    expect(await externalIds(url)).toEqual([]);
    const post = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: PAYLOAD,
    };
    expect((await fetch(`${url}/api/v1/ingest`, post)).status).toBe(200);
    expect(await end(first, 'SIGTERM')).toBe(0);
    const second = start(directory, on);
    expect(await externalIds(await second.ready)).toEqual([]);
    expect(await end(second, 'SIGTERM')).toBe(0);
  });
});

test('an almost full disk closes ingest but not reading', async () => {
  const key = 'k'.repeat(32);
  const copy = start(join(folder, 'full'), {
    TIDEWATCH_MIN_FREE_BYTES: '900000000000000',
    TIDEWATCH_BOOTSTRAP_KEY: key,
  });
  const url = await copy.ready;
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  const refused = await fetch(`${url}/api/v1/ingest`, { method: 'POST', headers, body: PAYLOAD });
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ code: 'storage_full' });
  expect((await fetch(`${url}/api/v1/services`, { headers })).status).toBe(200);
  expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'degraded' });
  expect(await end(copy, 'SIGTERM')).toBe(0);
});

test.each([
  ['a key that is too short', { TIDEWATCH_BOOTSTRAP_KEY: 'short' }, 'TIDEWATCH_BOOTSTRAP_KEY'],
  ['a port that is none', { TIDEWATCH_PORT: 'http' }, 'TIDEWATCH_PORT'],
  ['a level of logs that does not exist', { TIDEWATCH_LOG_LEVEL: 'loud' }, 'TIDEWATCH_LOG_LEVEL'],
  [
    'a misspelt setting',
    { TIDEWATCH_DATA_DRI: '/x' },
    'TIDEWATCH_DATA_DRI is no setting; did you mean TIDEWATCH_DATA_DIR?',
  ],
  ['half of TLS', { TIDEWATCH_TLS_KEY_FILE: '/dev/null' }, 'TIDEWATCH_TLS_CERT_FILE'],
])('%s is refused by name, before anything opens', async (_name, env, message) => {
  const copy = start(join(folder, 'refused'), env);
  await expect(copy.ready).rejects.toThrow(message);
  expect(copy.process.exitCode).toBe(1);
  expect(copy.output()).not.toMatch(/\n\s+at /);
});

test('port and folder can be set on the command line', async () => {
  const directory = join(folder, 'options');
  const copy = start(join(folder, 'unused'), {}, ['--port', '0', `--data-dir=${directory}`]);
  await copy.ready;
  expect(existsSync(join(directory, 'admin-key'))).toBe(true);
  expect(existsSync(join(folder, 'unused'))).toBe(false);
  expect(await end(copy, 'SIGTERM')).toBe(0);
});

test.each([
  [['--prot', '1'], 1, 'There is no option --prot; did you mean --port?'],
  [['--version'], 0, 'tidewatch 0.1.0'],
  [['--help'], 0, '--data-dir DIR'],
])('%j is answered at once and opens nothing', async (args, code, text) => {
  const copy = start(join(folder, 'unused'), {}, args);
  await expect(copy.ready).rejects.toThrow(text);
  expect(copy.process.exitCode).toBe(code);
  expect(copy.output()).not.toMatch(/\n\s+at /);
  expect(existsSync(join(folder, 'unused'))).toBe(false);
});

test.each([
  ['below a file', 'file/data', 'is a file'],
  ['that is a file', 'file', 'is a file'],
  ['that the kernel does not make', '/proc/tidewatch/data', '/proc/tidewatch/data cannot be used'],
])('a data directory %s is refused in a sentence', async (_, path, sentence) => {
  writeFileSync(join(folder, 'file'), '');
  const copy = start(resolve(folder, path));
  await expect(copy.ready).rejects.toThrow(sentence);
  expect(copy.process.exitCode).toBe(1);
  expect(copy.output()).not.toMatch(/\n\s+at /);
});

test('a first start that is interrupted, at any moment, leaves a data directory that starts', async () => {
  const directory = join(folder, 'interrupted');
  const moments = [
    'lock',
    'postgres',
    'postgres/data/PG_VERSION',
    'postgres/data/postmaster.pid',
    'passwords.json',
  ];
  for (const name of moments) {
    const copy = start(directory);
    const isThere = () => existsSync(join(directory, name)) || copy.process.exitCode !== null;
    while (!isThere()) await sleep(2);
    await end(copy, 'SIGINT');
  }
  const next = start(directory);
  await next.ready;
  expect(await end(next, 'SIGTERM')).toBe(0);
});
