import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFile } from '@tidewatch/stack/stack-file';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Client, createClient, SEEN, serviceOf, uniqueName } from '../client.ts';
import { askProduct, type OpenProduct } from '../control.ts';

const SERVICES = [
  ...['gateway', 'gateway', 'writer', 'writer', 'evaluator', 'evaluator'],
  ...['notifier', 'notifier', 'investigator', 'investigator', 'query-api'],
];
const PARTS = ['kafka', 'postgres', 'redis'];
const AGAIN = { timeout: 100_000, interval: 500 };

let stack: OpenProduct;
let client: Client;
beforeAll(async () => {
  const control = inject('stack')?.control;
  if (!control) return;
  stack = await askProduct(control, 'open');
  client = createClient(stack);
});

const described = () => JSON.parse(readFileSync(join(stack.dataDir, 'stack.json'), 'utf8')) as StackFile;
const ready = async () => {
  const response = await fetch(`${stack.url}/readyz`);
  return { code: response.status, ...((await response.json()) as { status: string; reasons: string[] }) };
};

test('stack.json lists every running process, and the addresses of the parts', () => {
  const { base_url, processes, kafka, postgres, redis } = described();
  expect(base_url).toBe(stack.url);
  expect(processes.map(({ role }) => role)).toEqual(expect.arrayContaining([...SERVICES, 'proxy']));
  for (const { role, pid } of processes) {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (!PARTS.includes(role)) expect(line, role).toMatch(new RegExp(`/${role}/(src/)?main\\.ts`));
  }
  expect([kafka.brokers, postgres.url, redis.url]).toEqual([
    expect.stringMatching(/:\d+$/),
    expect.stringMatching(/^postgres:\/\//),
    expect.stringMatching(/^redis:\/\//),
  ]);
});

test('the broker that the stack starts requires a login, which is in no command line', () => {
  const { kafka, processes } = described();
  if (kafka.sasl === undefined) return;
  expect(kafka.sasl).toMatchObject({ mechanism: 'plain', password: expect.stringMatching(/^.{30,}$/) });
  for (const { role, pid } of processes)
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), role).not.toContain(kafka.sasl.password);
});

test('only processes that use the broker receive its login', () => {
  const { kafka, processes } = described();
  if (kafka.sasl === undefined) return;
  const { password } = kafka.sasl;
  const has = (pid: number) => readFileSync(`/proc/${pid}/environ`, 'utf8').includes(password);
  const given = new Set(processes.filter(({ pid }) => has(pid)).map(({ role }) => role));
  expect([...given].toSorted()).toEqual(['evaluator', 'gateway', 'investigator', 'notifier', 'writer']);
});

test('each service process serves health, readiness and metrics on a port of its own', async () => {
  const services = described().processes.filter(({ role }) => SERVICES.includes(role));
  expect(services.map(({ role }) => role).toSorted()).toEqual(SERVICES.toSorted());
  expect(new Set(services.map(({ admin_url }) => admin_url)).size).toBe(SERVICES.length);
  for (const { role, admin_url } of services) {
    expect(await (await fetch(`${admin_url}/healthz`)).json()).toEqual({ status: 'ok' });
    const readiness = await fetch(`${admin_url}/readyz`);
    expect([readiness.status, await readiness.json()]).toMatchObject([
      200,
      { status: 'ready', reasons: [], topology: 'distributed', role, versions: { node: expect.any(String) } },
    ]);
    const metrics = await fetch(`${admin_url}/metrics`);
    expect(metrics.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await metrics.text()).toMatch(/^process_resident_memory_bytes \d+/m);
  }
});

test.each([
  'gateway',
  'writer',
  'evaluator',
  'notifier',
  'investigator',
  'query-api',
  'proxy',
  'redis',
] as const)(
  'a %s that is killed is started again, stack.json says so, and what was accepted is there',
  async (role) => {
    const before = described().processes.filter((process) => process.role === role);
    const [victim] = before;
    process.kill(victim?.pid ?? 0, 'SIGKILL');
    const pids = () =>
      described()
        .processes.filter((each) => each.role === role)
        .map(({ pid }) => pid);
    await expect.poll(pids, AGAIN).not.toContain(victim?.pid);
    await expect.poll(() => pids().length, AGAIN).toBe(before.length);
    await expect.poll(() => ready().catch(() => null), AGAIN).toMatchObject({ code: 200, status: 'ready' });
    const host = uniqueName(`e2e-${role}`);
    const sent = () => client.ingest({ host, metrics: { a: 1 } }).catch(() => ({ status: 0 }));
    await expect.poll(async () => (await sent()).status, AGAIN).toBe(200);
    await serviceOf(client, host);
  },
);

test('an unavailable Redis makes the stack degraded, with the reason on /readyz', async () => {
  const { pid } = described().processes.find(({ role }) => role === 'redis') ?? { pid: 0 };
  process.kill(pid, 'SIGSTOP');
  try {
    const degraded = {
      code: 200,
      status: 'degraded',
      reasons: ['gateway', 'query-api'].map((role) =>
        expect.stringContaining(`${role}: Redis is unavailable`),
      ),
    };
    await expect.poll(ready, SEEN).toMatchObject(degraded);
    expect((await client.ingest({ host: uniqueName('e2e-no-redis'), metrics: { a: 1 } })).status).toBe(200);
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect.poll(ready, SEEN).toMatchObject({ code: 200, status: 'ready' });
});
