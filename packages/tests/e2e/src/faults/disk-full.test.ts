import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProduct, type Product } from '@tidewatch/harness/product';
import { mountSmallDisk, type SmallDisk } from '@tidewatch/harness/small-disk';
import { readPasswords } from '@tidewatch/standalone/data-directory/data-directory';
import { connectAdmin } from '@tidewatch/standalone/database';
import { readPidFile } from '@tidewatch/standalone/postgres/pid-file';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Client, createClient, uniqueName } from '../client.ts';
import { createNumberedLoad, type NumberedLoad } from './numbered-load.ts';

const MIB = 2 ** 20;
// The limit at which ingest is closed, above the reserve of 64 MiB, so that it stays closed while the database uses the
// reserve.
const MIN_FREE = 80 * MIB;

function mayMount(): boolean {
  try {
    mountSmallDisk(1).unmount();
    return true;
  } catch (error) {
    console.warn(`The tests of a full disk are skipped, since no disk can be mounted: ${error}`);
    return false;
  }
}

describe.skipIf(!mayMount())('a full disk [needs mount]', () => {
  let disk: SmallDisk;
  let product: Product;
  let client: Client;
  let load: NumberedLoad;

  beforeEach(async () => {
    disk = mountSmallDisk(400);
    product = await createProduct({
      TIDEWATCH_DATA_DIR: join(disk.path, 'data'),
      TIDEWATCH_MIN_FREE_BYTES: String(MIN_FREE),
    });
    await product.start();
    client = createClient(product);
    const startsAt = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3 * 86_400_000;
    const shape = { metrics: 100, payloads: 40, connections: 4, startsAt };
    load = createNumberedLoad(client, { host: uniqueName('disk'), ...shape });
  });
  afterEach(async () => {
    await product?.remove();
    disk?.unmount();
  });

  const postmaster = () => readPidFile(join(disk.path, 'data/postgres/data'))?.pid;
  const reading = async () => (await client.ask('GET', '/services')).status;
  const refusals = (code: string) => load.verdicts().get(code) ?? 0;

  async function recovers(): Promise<void> {
    await load.finish();
    expect(await load.recount()).toEqual(load.expected());
  }

  test('closes ingest with its reason, does not affect reading, loses no sample, and opens ingest once there is space', async () => {
    const server = postmaster();
    disk.fill('ballast', MIN_FREE + 30 * MIB);
    await load.run(() => refusals('503 storage_full') >= 20);
    expect([...load.verdicts().keys()].sort()).toEqual(['200', '503 storage_full']);
    expect(await reading()).toBe(200);
    const ready = await fetch(`${product.url}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: 'degraded',
      reasons: [expect.stringMatching(/^ingest is closed: The disk has \d+ MiB/)],
    });
    expect(postmaster()).toBe(server);
    disk.free('ballast');
    await recovers();
  });

  test('that fills at once ends the database, which restarts, can be read and has lost no sample', async () => {
    const server = postmaster();
    expect(existsSync(join(disk.path, 'data/postgres/reserve'))).toBe(true);
    let sent = 0;
    await load.run(() => ++sent >= 20);
    const writing = load.run(() => refusals('503 storage_full') >= 20);
    disk.fill('ballast', 0);
    await exhaustLog(join(disk.path, 'data'), () => postmaster() !== server);
    while ((await reading()) !== 200) await sleep(200);
    expect(existsSync(join(disk.path, 'data/postgres/reserve'))).toBe(false);
    await writing;
    expect(await reading()).toBe(200);
    expect(postmaster()).not.toBe(server);
    disk.free('ballast');
    await recovers();
    while (!existsSync(join(disk.path, 'data/postgres/reserve'))) await sleep(200);
  });
});

/** Makes PostgreSQL write to its write-ahead log until `died` returns true. */
async function exhaustLog(dataDirectory: string, died: () => boolean): Promise<void> {
  const home = join(dataDirectory, 'postgres', 'run');
  const admin = connectAdmin(home, 5432, readPasswords(dataDirectory).postgres, 'tidewatch');
  try {
    while (!died()) {
      await admin.sql`select pg_logical_emit_message(false, 'test', 'x'), pg_switch_wal()`.catch(() => {});
      await sleep(50);
    }
  } finally {
    await admin.close();
  }
}
