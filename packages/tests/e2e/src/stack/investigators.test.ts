import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFile } from '@tidewatch/stack/stack-file';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Client, createClient, uniqueName } from '../client.ts';
import { investigationOf } from '../investigations/incident.ts';
import { askStack, type OpenStack } from './control.ts';

const FLOCK = 8;
const ENDED = { timeout: 90_000, interval: 250 };

let stack: OpenStack;
let client: Client;
beforeAll(async () => {
  const control = inject('stack')?.control;
  if (!control) return;
  stack = await askStack(control, 'open');
  client = createClient(stack);
});

const investigators = () =>
  (JSON.parse(readFileSync(join(stack.dataDir, 'stack.json'), 'utf8')) as StackFile).processes.filter(
    ({ role }) => role === 'investigator',
  );

test('what killed investigators had under way is taken over, and each ends once', async () => {
  const metric = uniqueName('killed').replaceAll('-', '_');
  await client.expect(201, 'POST', '/alerts/rules', {
    ...{ name: metric, metric, condition: 'greater_than', threshold: 0, duration_minutes: 0 },
    severity: 'warning',
  });
  const hosts = Array.from({ length: FLOCK }, (_, index) => `${metric}-${index}`);
  const alerts = async () =>
    (await client.expect(200, 'GET', `/alerts?status=all&limit=100`)).alerts.filter(
      (alert: { metric: string }) => alert.metric === metric,
    );
  const fired = async () => {
    await client.ingest(hosts.map((host) => ({ host, metrics: { [metric]: 1 } })));
    return (await alerts()).length;
  };
  await expect.poll(fired, { timeout: 20_000, interval: 1_000 }).toBe(FLOCK);
  const ids: string[] = await Promise.all(
    (await alerts()).map(({ id }: { id: string }) => investigationOf(client, id)),
  );
  const statuses = async () =>
    Promise.all(ids.map(async (id) => (await client.expect(200, 'GET', `/investigations/${id}`)).status));
  await expect.poll(async () => (await statuses()).includes('running'), ENDED).toBe(true);
  const victims = investigators();
  for (const { pid } of victims) process.kill(pid, 'SIGKILL');
  await expect.poll(async () => new Set(await statuses()), ENDED).toEqual(new Set(['completed']));
  expect(investigators().map(({ pid }) => pid)).not.toContain(victims[0]?.pid);
});
