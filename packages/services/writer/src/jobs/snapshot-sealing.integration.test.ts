import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openForTest } from '@tidewatch/harness/opened';
import { storeForTest } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { packedSnapshots } from '@tidewatch/store/snapshots/packed/packed-snapshots';
import { expect, it } from 'vitest';
import { ORGANIZATION, openHarness } from '../testing/writer.harness.ts';
import { createWriterMeters } from '../writer-metrics.ts';
import { createSnapshotSealing } from './snapshot-sealing.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);

it('snapshots of the log become chunks every five minutes, and those that are damaged are logged', async () => {
  const admin = await storeForTest({ sampleLayout: 'log' });
  const { store, send } = await openForTest(openHarness(admin.database.url, NOW));
  const processes = [{ name: 'node', pid: 1, cpu_percent: 2.5 }];
  const payload = { host: 'web-01', metrics: ['cpu'], values: [1], processes };
  await send([{ ...payload, time: NOW }]);
  await send([{ ...payload, time: NOW + 1 }]);
  await admin.sql`
    update snapshot_log set data = overlay(data placing '\\x00' from 6) where last = ${NOW + 1}::timestamptz`;
  const errors: unknown[] = [];
  const meters = createWriterMeters(createMetrics());
  const seal = createSnapshotSealing({
    sql: store.sql,
    meters,
    logger: Object.assign(createSilentLogger(), { error: (fields: unknown) => errors.push(fields) }),
  });
  expect(await seal(async () => undefined)).toBe(5 * MINUTE_MS);
  expect(errors).toMatchObject([{ err: { name: 'MalformedBytesError' }, seq: expect.any(Number) }]);
  expect(await admin.sql`select from snapshot_log`).toHaveLength(0);
  const [{ id: serviceId } = { id: '' }] = await store.sql<{ id: string }[]>`select id from services`;
  const span = { organizationId: ORGANIZATION, serviceId, from: NOW, to: NOW + MINUTE_MS };
  expect(await packedSnapshots.lists(store.sql, [span], 'processes')).toEqual([
    [{ time: NOW, list: processes }],
  ]);
});
