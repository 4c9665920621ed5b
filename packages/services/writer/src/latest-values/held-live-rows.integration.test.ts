import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForTest } from '@tidewatch/harness/opened';
import { storeForTest } from '@tidewatch/harness/store';
import { LiveReads } from '@tidewatch/runtime/process/live-reads';
import { expect, it } from 'vitest';
import { ServiceState } from '../cache/service-state.ts';
import { ORGANIZATION, openHarness } from '../testing/writer.harness.ts';
import { LatestFlush } from './latest-flush.ts';

const NOW = Date.UTC(2026, 10, 28, 12, 0, 30);

async function openWriterForTest(liveReads: LiveReads) {
  const { database } = await storeForTest({ sampleLayout: 'log' });
  return await openForTest(openHarness(database.url, NOW, { liveReads }));
}

function payload(time: number, fields: Record<string, number>) {
  return { host: 'web-01', time, metrics: Object.keys(fields), values: Object.values(fields) };
}

function stateOf(serviceId: string): ServiceState {
  const entry = { organizationId: ORGANIZATION, serviceId, host: serviceId, tagsAt: 0 };
  return new ServiceState(entry as ConstructorParameters<typeof ServiceState>[0]);
}

it('holds live rows back for half a minute while nobody reads, up to a number of them', async () => {
  const { store } = await openWriterForTest(new LiveReads());
  const { sql } = store;
  const reads = { isWatched: false };
  const flush = new LatestFlush(sql, reads);
  flush.mayHold = true;
  const report = (state: ServiceState, now: number, time = now) => {
    state.seen(now, time);
    flush.service(state, now);
  };
  const stored = async () =>
    (await sql<{ id: string; at: number }[]>`select service_id as id, last_seen as at from service_live`).map(
      ({ id, at }) => [id, at - NOW],
    );
  const one = stateOf('svc_1');
  report(one, NOW);
  await flush.flushDue(NOW);
  report(one, NOW + 10_000);
  await flush.flushDue(NOW + 29_999);
  expect(await stored()).toEqual([]);
  await flush.flushDue(NOW + 30_000);
  expect(await stored()).toEqual([['svc_1', 10_000]]);

  report(one, NOW + 40_000);
  await flush.flushDue(NOW + 40_000);
  expect(await stored()).toEqual([['svc_1', 10_000]]);
  reads.isWatched = true;
  await flush.flushDue(NOW + 40_000);
  expect(await stored()).toEqual([['svc_1', 40_000]]);
  reads.isWatched = false;

  // A clock that was set back by an hour, which three payloads show.
  for (const passed of [50_000, 60_000, 70_000]) {
    await flush.flushDue(NOW + passed);
    expect(await stored()).toEqual([['svc_1', 40_000]]);
    report(one, NOW + passed, NOW + passed - 60 * MINUTE_MS);
  }
  await flush.flushDue(NOW + 70_000);
  expect(await stored()).toEqual([['svc_1', 70_000]]);

  for (let index = 2; index <= 20_002; index += 1) report(stateOf(`svc_${index}`), NOW + 80_000);
  await flush.flushDue(NOW + 80_000);
  expect((await stored()).map(([id]) => id).sort()).toEqual(['svc_1', 'svc_2']);
  flush.forget();
  await flush.flushDue(NOW + 80_000);
  expect(await stored()).toHaveLength(20_002);
});

it('writes what it held back before the first read goes on', async () => {
  const liveReads = new LiveReads();
  const harness = await openWriterForTest(liveReads);
  await harness.send([payload(NOW, { cpu_percent: 1 })]);
  await harness.send([payload(NOW + 1_000, { cpu_percent: 2 })]);
  await harness.writer.start();
  try {
    await liveReads.beforeRead();
    expect([...(await harness.store.sql`select cpu_percent from service_live`)]).toEqual([
      { cpu_percent: 2 },
    ]);
  } finally {
    await harness.writer.stop();
  }
});

it('keeps a value that is held back when a transaction is rolled back', async () => {
  const harness = await openWriterForTest(new LiveReads());
  await harness.send([payload(NOW, { cpu_percent: 1, disk_percent: 40 })]);
  await harness.send([payload(NOW + 1_000, { cpu_percent: 2, disk_percent: 50 })]);
  await harness.sendAndLose([payload(NOW + 2_000, { cpu_percent: 99 })]);
  await harness.send([payload(NOW + 3_000, { cpu_percent: 3 })]);
  await harness.writer.stop();
  const rows = await harness.store.sql`select cpu_percent, disk_percent from service_live`;
  expect([...rows]).toEqual([{ cpu_percent: 3, disk_percent: 50 }]);
});
