import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackFile } from '@tidewatch/stack/stack-file';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Client, createClient, uniqueName } from '../client.ts';
import { askProduct, type OpenProduct } from '../control.ts';
import { investigationOf } from '../investigations/incident.ts';

const FLOCK = 5;
const FLOCK_EVERY_MS = 2_000;
const ENDED = { timeout: 90_000, interval: 250 };

let stack: OpenProduct;
let client: Client;
beforeAll(async () => {
  const control = inject('stack')?.control;
  if (!control) return;
  stack = await askProduct(control, 'open');
  client = createClient(stack);
});

const investigators = () =>
  (JSON.parse(readFileSync(join(stack.dataDir, 'stack.json'), 'utf8')) as StackFile).processes.filter(
    ({ role }) => role === 'investigator',
  );

test('investigations of killed investigators are taken over, and each ends once', async () => {
  const metric = uniqueName('killed').replaceAll('-', '_');
  const rule = await client.expect(201, 'POST', '/alerts/rules', {
    name: metric,
    metric,
    condition: 'greater_than',
    threshold: 0,
    duration_minutes: 0,
    severity: 'warning',
  });
  const breach = () =>
    client.ingest(
      Array.from({ length: FLOCK }, () => ({ host: uniqueName(metric), metrics: { [metric]: 1 } })),
    );
  let breached = 0;
  const alerts = async (): Promise<{ id: string }[]> =>
    (await client.expect(200, 'GET', `/alerts?status=all&limit=100&rule_id=${rule.id}`)).alerts;
  // Each runs for a moment only, so breaches continue until the killed process has one.
  const underWay = async () => {
    if (Date.now() - breached > FLOCK_EVERY_MS) {
      await breach();
      breached = Date.now();
    }
    const { investigations } = await client.expect(200, 'GET', '/investigations?status=running');
    const running: string[] = investigations.flatMap((each: { alert_ids: string[] }) => each.alert_ids);
    return running.length > 0 && (await alerts()).some(({ id }) => running.includes(id));
  };
  await expect.poll(underWay, { timeout: 60_000, interval: 10 }).toBe(true);
  const victims = investigators();
  for (const { pid } of victims) process.kill(pid, 'SIGKILL');
  await expect.poll(async () => (await alerts()).length % FLOCK, ENDED).toBe(0);
  const ids = await Promise.all((await alerts()).map(({ id }) => investigationOf(client, id)));
  const statuses = async () =>
    Promise.all(ids.map(async (id) => (await client.expect(200, 'GET', `/investigations/${id}`)).status));
  await expect.poll(async () => new Set(await statuses()), ENDED).toEqual(new Set(['completed']));
  expect(investigators().map(({ pid }) => pid)).not.toContain(victims[0]?.pid);
});
