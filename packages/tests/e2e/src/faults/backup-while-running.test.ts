import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { folderForFile } from '@tidewatch/harness/opened';
import { createProduct } from '@tidewatch/harness/product';
import { expect, test } from 'vitest';
import { type Client, createClient, serviceOf, uniqueName } from '../client.ts';
import { openProduct } from '../scenario.ts';
import { createNumberedLoad } from './numbered-load.ts';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const folder = folderForFile();
const { product, client } = await openProduct();

async function script(name: 'backup' | 'restore', file: string, directory: string) {
  const env = { ...process.env, TIDEWATCH_DATA_DIR: directory };
  const child = spawn('npm', ['run', '--silent', name, '--', file], { cwd: root, env });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    output += text;
  });
  const [code] = await once(child, 'close');
  return { code, output };
}

/** The samples of a host by their second, as text with every value of every metric. */
async function points(of: Client, host: string, from: number, to: number): Promise<string[]> {
  const { id } = await serviceOf(of, host);
  const found: string[] = [];
  for (let at = from; at < to; at += HOUR_MS) {
    const range = `from=${new Date(at).toISOString()}&to=${new Date(at + HOUR_MS).toISOString()}&step=1`;
    const { series } = await of.expect(200, 'GET', `/services/${id}/metrics?metrics=m0,m1&${range}`);
    for (const { metric, points: values } of series)
      for (const { t, avg, count } of values) found.push(`${t} ${metric} ${avg} ${count}`);
  }
  return found.sort();
}

test('a backup during a load has the data of one moment, and a restore has the same data', async () => {
  const startsAt = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 72 * HOUR_MS;
  const host = uniqueName('backup');
  const shape = { metrics: 2, payloads: 20, connections: 2, startsAt };
  const load = createNumberedLoad(client, { host, ...shape });
  let sent = 0;
  await load.run(() => ++sent >= 40);
  const before = load.acknowledged();
  let over = false;
  const writing = load.run(() => over);
  const file = join(folder, 'everything.backup');
  const backup = await script('backup', file, product.dataDir);
  over = true;
  await writing;
  await load.finish();
  expect(backup).toMatchObject({ code: 0, output: expect.stringContaining(file) });
  expect(load.acknowledged()).toBeGreaterThan(before);
  expect(await load.recount()).toEqual(load.expected());

  const refused = await script('restore', file, product.dataDir);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('in use by process') });

  const target = join(folder, 'restored');
  expect(await script('restore', file, target)).toMatchObject({ code: 0 });
  const again = await script('restore', file, target);
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining('There is data already') });

  const settings = { TIDEWATCH_DATA_DIR: target, TIDEWATCH_LOCAL_AGENT: 'on', TIDEWATCH_BOOTSTRAP_KEY: '' };
  const restored = await createProduct(settings);
  try {
    await restored.start();
    const there = createClient({ url: restored.url, key: product.key });
    const end = startsAt + Math.ceil(load.acknowledged() / 2_000 / 3.6) * HOUR_MS;
    const kept = await points(there, host, startsAt, end);
    const all = new Set(await points(client, host, startsAt, end));
    expect(kept.length).toBeGreaterThanOrEqual(before);
    expect(kept.filter((point) => !all.has(point))).toEqual([]);
    while ((await there.expect(200, 'GET', '/services')).services.length < 2) await sleep(200);
  } finally {
    await restored.remove();
  }
});
