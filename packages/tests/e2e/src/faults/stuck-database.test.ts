import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverProcesses } from '@tidewatch/standalone/postgres/pid-file';
import { expect, test } from 'vitest';
import { uniqueName } from '../client.ts';
import { openProduct } from '../scenario.ts';
import { createNumberedLoad } from './numbered-load.ts';

const STUCK_MS = 20_000;

const { product, client } = await openProduct();

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended since it was listed.
    }
  }
}

const readiness = async () => (await fetch(`${product.url}/readyz`)).status;

test('a database that stops responding is reported, and no acknowledged sample is lost when it continues', async () => {
  const startsAt = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3 * 86_400_000;
  const shape = { metrics: 50, payloads: 20, connections: 8, startsAt };
  const load = createNumberedLoad(client, { host: uniqueName('stuck'), ...shape });
  let over = false;
  const writing = load.run(() => over);
  await sleep(2_000);

  const cluster = join(product.dataDir, 'postgres/data');
  const stopped = serverProcesses(cluster);
  signal(stopped, 'SIGSTOP');
  try {
    await sleep(1_000);
    const before = load.acknowledged();
    expect(await readiness()).toBe(503);
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    await sleep(STUCK_MS);
    expect(load.acknowledged()).toBe(before);
    expect(await readiness()).toBe(503);
  } finally {
    signal(stopped, 'SIGCONT');
  }
  while ((await readiness()) !== 200) await sleep(200);
  const resumed = load.acknowledged();
  while (load.acknowledged() === resumed) await sleep(100);
  over = true;
  await writing;
  await load.finish();
  expect(await load.recount()).toEqual(load.expected());
});
