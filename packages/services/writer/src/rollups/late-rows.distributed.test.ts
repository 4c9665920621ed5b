import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { startBackendDatabase } from '@tidewatch/harness/backend-database';
import { openForTest } from '@tidewatch/harness/opened';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import { describe, expect, inject, it } from 'vitest';
import { disagreeing } from '../testing/recount.ts';
import { openHarness } from '../testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 11, 57, 30);
const ROUNDS = 60;

const timescale = inject('timescale');
const served = timescale.state === 'lacked' ? [] : timescale.address.backends;

describe.skipIf(!served.includes('community'))('[needs Timescale Community] late rows', () => {
  it('rows of an open transaction keep their minute from being sealed', async () => {
    const database = await openForTest(startBackendDatabase('community'));
    const writer = await openForTest(openHarness(database.url, NOW));
    const { sql } = writer.store;
    const backend = await openStorageBackend(sql, DEFAULT_RETENTION_DAYS);
    const at = (cpu: number) => [{ host: 'web-01', time: NOW + cpu * SECOND_MS, ...metricsOf({ cpu }) }];
    const minutes = () => sql`select cnt0, max0 from rollup_1m order by bucket`;
    const later = NOW + 120 * SECOND_MS;
    await writer.send(at(1));
    await writer.sendAround(at(2), () => backend.drain(later, 1_000, 0));
    expect(await minutes()).toEqual([]);
    expect(await disagreeing(sql, '1m')).toEqual([]);
    await backend.drain(later, 1_000, 0);
    expect(await minutes()).toEqual([{ cnt0: 2, max0: 2 }]);
    await writer.send(at(3));
    expect(await disagreeing(sql, '1m')).toEqual([]);
    await backend.drain(later, 1_000, 0);
    expect(await minutes()).toEqual([{ cnt0: 3, max0: 3 }]);
  });

  it('rows of two writers are in every rollup that readers use, also when a refresh runs between them', async () => {
    const database = await openForTest(startBackendDatabase('community'));
    const open = () => openForTest(openHarness(database.url, NOW));
    const writers = await Promise.all([open(), open()]);
    const { sql } = writers[0].store;
    const backend = await openStorageBackend(sql, DEFAULT_RETENTION_DAYS);
    const random = createRandom(5);
    for (let round = 0; round < ROUNDS; round++) {
      const now = NOW + round * 21 * SECOND_MS;
      await Promise.all([
        ...writers.map(async (writer, index) => {
          writer.now = now;
          for (let part = 0; part < 3; part++) {
            const age = random() < 0.2 ? random() * 7_200 : random() * 40;
            const time = Math.floor(now / SECOND_MS - age) * SECOND_MS;
            await writer.send([
              { host: `web-${index}`, time, ...metricsOf({ cpu: Math.floor(random() * 100) }) },
            ]);
          }
        }),
        backend.drain(now, 1_000, round % 3 === 0 ? 0 : undefined),
      ]);
      for (const tier of ROLLUP_TIERS) expect(await disagreeing(sql, tier), tier).toEqual([]);
    }
    await backend.drain(NOW + ROUNDS * 21 * SECOND_MS, 1_000, 0);
    for (const tier of ['1m', '1h'] as const) expect(await disagreeing(sql, tier), tier).toEqual([]);
    const [rolled] =
      await sql`select count(*)::integer as minutes, sum(cnt0)::integer as samples from rollup_1m`;
    expect(rolled?.minutes).toBeGreaterThan(30);
    expect(rolled?.samples).toBeGreaterThan(ROUNDS * 5);
  });
});
