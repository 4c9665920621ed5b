import type { Queryable } from '@tidewatch/database/connection';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, test } from 'vitest';
import { chunkReader } from '../series/chunks/chunk-reader.ts';
import { appendLog } from './append-log.ts';
import { ORGANIZATION, SealedFleet } from './sealed-fleet.harness.ts';
import { Sealer } from './sealer.ts';

const { sql, transact } = await storeForFile({ sampleLayout: 'log', organizations: [ORGANIZATION] });
const NOW = Math.floor(Date.now() / 60_000) * 60_000;
const RANGE = { from: NOW - 60_000, to: NOW + 60_000 };
const fleet = new SealedFleet(sql);
await fleet.addHosts(2, 2);
const sealer = new Sealer({ sql, clock: () => NOW, intervalMs: 1 });

const sampleOf = (host: number, at: number, value: number) =>
  fleet.sampleOf(host, NOW + at, [{ 0: value }, { 3: -value }]);
const append = (host: number, at: number, value: number) =>
  transact((tx) => appendLog(tx, [sampleOf(host, at, value)]));

/** The values of the first slot of a host. */
async function read(host: number, from: Queryable = sql): Promise<number[]> {
  const blockId = fleet.hosts[host]?.blockIds[0] as number;
  const [samples] = await chunkReader.samples(from, [{ blockId, slot: 0, ...RANGE }]);
  return [...(samples?.values ?? [])];
}

test('reads a row of the log once, and later those that are new', async () => {
  await append(0, 1, 10);
  expect(await read(0)).toEqual([10]);
  // The head of the row is damaged since, so that it cannot be read again.
  await sql`update sample_log set data = set_byte(data, 1, get_byte(data, 1) # 1)`;
  await append(0, 2, 20);
  expect(await read(0)).toEqual([10, 20]);
  await sql`update sample_log set data = set_byte(data, 1, get_byte(data, 1) # 1) where seq = (select min(seq) from sample_log)`;
  await sealer.sealAll();
  expect(await read(0)).toEqual([10, 20]);
});

test('a snapshot from before a seal and one after it agree, whichever rows are kept', async () => {
  await append(1, 1, 10);
  await sql.begin('isolation level repeatable read read only', async (before) => {
    expect(await read(1, before)).toEqual([10]);
    await append(1, 2, 20);
    expect(await read(1)).toEqual([10, 20]);
    await sealer.sealAll();
    await append(1, 3, 30);
    expect(await read(1)).toEqual([10, 20, 30]);
    expect(await read(1, before)).toEqual([10]);
    expect(await read(1)).toEqual([10, 20, 30]);
  });
});

test('finds a row that is committed after one with a later number', async () => {
  const reached = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const late = transact(async (tx) => {
    await appendLog(tx, [sampleOf(0, 10, 1)]);
    reached.resolve();
    await mayCommit.promise;
  });
  await reached.promise;
  await append(0, 10, 2);
  await append(0, 11, 3);
  expect((await read(0)).slice(-2)).toEqual([2, 3]);
  mayCommit.resolve();
  await late;
  // Of equal times the later number counts.
  expect((await read(0)).slice(-3)).toEqual([20, 2, 3]);
  await append(0, 12, 4);
  expect((await read(0)).slice(-2)).toEqual([3, 4]);
});
