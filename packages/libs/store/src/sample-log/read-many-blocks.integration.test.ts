import { storeForFile } from '@tidewatch/harness/store';
import { expect, test } from 'vitest';
import { chunkReader } from '../series/chunks/chunk-reader.ts';
import { appendLog } from './append-log.ts';
import { ORGANIZATION, SealedFleet } from './sealed-fleet.harness.ts';
import { Sealer } from './sealer.ts';

const HOSTS = 150;
const { sql, transact } = await storeForFile({ sampleLayout: 'log', organizations: [ORGANIZATION] });
const NOW = Math.floor(Date.now() / 60_000) * 60_000;
const RANGE = { from: NOW - 60_000, to: NOW + 60_000 };

test('many blocks, which are read in binary, have the samples that each has by itself', async () => {
  const fleet = new SealedFleet(sql);
  await fleet.addHosts(HOSTS, 1);
  const append = (at: number) =>
    transact((tx) =>
      appendLog(
        tx,
        fleet.hosts.map((_, host) => fleet.sampleOf(host, NOW + at, [{ 0: host + at / 8, 3: -at }])),
      ),
    );
  for (const at of [-3, -2]) await append(at);
  await new Sealer({ sql, clock: () => NOW, intervalMs: 1 }).sealAll();
  await append(0);
  const spans = fleet.hosts.map(({ blockIds }) => ({ blockId: blockIds[0] as number, slot: 0, ...RANGE }));
  const together = await chunkReader.samples(sql, spans);
  expect(together.map(({ times, values }) => [[...times], [...values]])).toEqual(
    fleet.hosts.map((_, host) => [[NOW - 3, NOW - 2, NOW], [-3, -2, 0].map((at) => host + at / 8)]),
  );
  const [alone] = await chunkReader.samples(sql, [spans[HOSTS - 1] as (typeof spans)[number]]);
  expect(together.at(-1)).toEqual(alone);
});
