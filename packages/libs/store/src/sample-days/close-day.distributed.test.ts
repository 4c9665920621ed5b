import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { openStore } from '@tidewatch/database/connection';
import { startBackendDatabase } from '@tidewatch/harness/backend-database';
import { openForTest } from '@tidewatch/harness/opened';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { describe, expect, inject, it } from 'vitest';
import { closeBatch } from './close-day.ts';
import { DayModel, drawDay, readStored, seal, wantedOf } from './day-model.harness.ts';
import { rebuildRollups } from './rebuild.ts';
import { enforcePackedRetention, ensurePackedAhead } from './retention.ts';

const timescale = inject('timescale');
const served = timescale.state === 'lacked' ? [] : timescale.address.backends;
const DAY = Date.UTC(2026, 10, 10);
const BLOCKS = [3, 7, 8];

describe.skipIf(!served.includes('apache'))('[needs Timescale] days of packed samples', () => {
  it('are closed, changed by late samples, compared and dropped as in plain PostgreSQL', async () => {
    const database = await openForTest(startBackendDatabase('apache'));
    const { sql } = await openForTest(openStore({ url: database.url }));
    const random = createRandom(7);
    const model = new DayModel();
    const now = DAY + DAY_MS + 2 * HOUR_MS;
    const draw = () => BLOCKS.map((blockId) => drawDay(random, model, blockId, DAY, 40));
    expect(await ensurePackedAhead(sql, { now: DAY })).toBe(3 * 4 + 2);
    await seal(sql, draw(), DAY);
    expect((await closeBatch(sql, DAY, { now, maxChunks: 1 })).isDone).toBe(false);
    await seal(sql, draw(), now);
    expect((await closeBatch(sql, DAY, { now })).isDone).toBe(true);
    await seal(sql, draw(), now);
    for (const blockId of BLOCKS)
      expect(await readStored(sql, blockId, DAY)).toEqual(wantedOf(model, blockId, DAY));
    const range = { from: DAY, to: DAY + DAY_MS };
    expect(await rebuildRollups(sql, { ...range, repairs: true })).toMatchObject({
      compared: 3,
      differing: 0,
    });
    await closeBatch(sql, DAY - DAY_MS, { now: DAY + 2 * HOUR_MS });
    const drop = (at: number) => enforcePackedRetention(sql, DEFAULT_RETENTION_DAYS, { now: at });
    expect(await drop(now + HOUR_MS - 1)).toEqual(['sample_chunks_20261109']);
    expect(await drop(now + HOUR_MS)).toEqual(['sample_chunks_20261110']);
  });
});
