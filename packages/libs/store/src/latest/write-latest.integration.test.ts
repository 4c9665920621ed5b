import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, test } from 'vitest';
import { type ServiceLive, writeLatest } from './write-latest.ts';

const ORGANIZATION = 'org_test';
const NOW = Date.UTC(2026, 2, 1);
const store = await storeForFile({ as: 'product', organizations: [ORGANIZATION] });
const buffer = new BinaryRows();

function liveOf(host: number, seconds: number): ServiceLive {
  const at = NOW + seconds * 1_000;
  return {
    organizationId: ORGANIZATION,
    serviceId: `svc_${host}`,
    lastSeen: at,
    lastSampleAt: at,
    intervalSeconds: 10,
    clockOffsetSeconds: null,
    clockSkewSeconds: 0,
    cpuPercent: host + seconds,
    memoryPercent: null,
    diskPercent: host,
  };
}

function write(services: readonly ServiceLive[]): Promise<void> {
  return writeLatest(store.sql, { blocks: [], services, parts: [] }, NOW, buffer);
}

/** Waits until so many statements of this database wait for a lock. */
async function lockedStatements(count: number): Promise<void> {
  const waiting = async () => {
    const rows = await store.sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return rows.length;
  };
  await expect.poll(waiting, { timeout: 20_000 }).toBe(count);
}

/** The stored live rows as `[host, last seen, last sample, cpu]`, times in seconds since NOW. */
async function stored() {
  const rows = await store.sql<{ id: string; seen: number; sample: number; cpu: number }[]>`
    select service_id as id, cpu_percent as cpu, extract(epoch from last_seen)::float8 - ${NOW / 1_000} as seen,
      extract(epoch from last_sample_at)::float8 - ${NOW / 1_000} as sample
    from service_live order by length(service_id), service_id`;
  return rows.map(({ id, seen, sample, cpu }) => [Number(id.slice(4)), seen, sample, cpu]);
}

test('live rows of services are changed where they exist and added where they do not, in one call', async () => {
  await write([liveOf(1, 10), liveOf(2, 10)]);
  expect(await stored()).toEqual([
    [1, 10, 10, 11],
    [2, 10, 10, 12],
  ]);
  const later = Array.from({ length: 300 }, (_, host) => liveOf(host + 2, 20));
  await write(later);
  expect(await stored()).toEqual([[1, 10, 10, 11], ...later.map((_, at) => [at + 2, 20, 20, at + 22])]);
  await write([liveOf(1, 30), { ...liveOf(2, 15), cpuPercent: 7 }]);
  expect((await stored()).slice(0, 3)).toEqual([
    [1, 30, 30, 31],
    [2, 20, 15, 7],
    [3, 20, 20, 23],
  ]);
});

test('two writers that are given the same hosts in opposite orders do not lock each other out', async () => {
  // Each writer reaches a host of its own, which is locked, between two hosts that both write.
  const [first, one, other, last] = [liveOf(501, 40), liveOf(502, 40), liveOf(503, 40), liveOf(504, 40)];
  await write([first, one, other, last]);
  const writing: Promise<void>[] = [];
  await store.transact(async (tx) => {
    await tx`select from service_live where service_id in ('svc_502', 'svc_503') for update`;
    writing.push(
      writeLatest(store.sql, { blocks: [], services: [first, one, last], parts: [] }, NOW, new BinaryRows()),
    );
    await lockedStatements(1);
    writing.push(
      writeLatest(
        store.sql,
        { blocks: [], services: [last, other, first], parts: [] },
        NOW,
        new BinaryRows(),
      ),
    );
    await lockedStatements(2);
  });
  expect(await Promise.allSettled(writing)).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: undefined },
  ]);
});
