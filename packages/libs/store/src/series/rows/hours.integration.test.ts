import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Limits } from '@tidewatch/domain/preview/limits';
import { type Hour, QUIET, stretchesOf } from '@tidewatch/domain/preview/stretches';
import { storeForFile } from '@tidewatch/harness/store';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { SlotHours } from '../series-columns.ts';
import { readHours } from './hours.ts';
import { KnownRows } from './known-rows.ts';
import type { BlockFacts } from './spans.ts';

const FROM = Date.UTC(2026, 0, 1);
const HOURS = 80;
const TO = FROM + HOURS * HOUR_MS;
const RANGE = { from: FROM, to: TO };
const NEVER = Number.NEGATIVE_INFINITY;
const PLAIN = { windowMs: 0, keepFiringMs: 0 };
/** Limits of rules that breach above 90 and clear below 60. */
const LIMITS: Limits = {
  low: 90,
  high: Number.POSITIVE_INFINITY,
  outside: false,
  clearAbove: NEVER,
  clearBelow: 60,
  margin: 0,
};

const store = await storeForFile({ max: 2, sampleLayout: 'rows' });
beforeAll(async () => {
  await store.sql`select ensure_partition('rollup_1h', '2025-12-01'::timestamptz, '2026-01-01'::timestamptz)`;
  await store.sql`select ensure_partition('rollup_1h', '2026-01-01'::timestamptz, '2026-02-01'::timestamptz)`;
});

interface StoredHour {
  hour: number;
  greatest: number;
  count: number;
}

/** Hours of one block, some missing, and the hours whose rollup is stale. */
const block = fc.record({
  slot: fc.constantFrom(0, 3),
  stored: fc
    .uniqueArray(
      fc.record({
        hour: fc.integer({ min: -2, max: HOURS + 1 }),
        greatest: fc.constantFrom(20, 20, 20, 20, 20, 59, 60, 75, 90, 95),
        count: fc.integer({ min: 1, max: 60 }),
      }),
      { selector: ({ hour }) => hour, maxLength: 60, size: 'max' },
    )
    .map((hours) => hours.toSorted((a, b) => a.hour - b.hour)),
  stale: fc.array(fc.integer({ min: 0, max: HOURS - 1 }), { maxLength: 2 }),
  open: fc.constantFrom(HOURS, HOURS, HOURS - 1, HOURS - 20),
});

async function fill(blocks: readonly { slot: number; stored: StoredHour[] }[]): Promise<void> {
  await store.sql`delete from rollup_1h`;
  for (const [index, { slot, stored }] of blocks.entries()) {
    const columns = `bucket, block_id, sum${slot}, cnt${slot}, min${slot}, max${slot}`;
    for (const { hour, greatest, count } of stored)
      await store.sql.unsafe(`insert into rollup_1h (${columns}) values ($1, $2, 0, $3, 0, $4)`, [
        ...[new Date(FROM + hour * HOUR_MS).toISOString(), index + 1, count, greatest],
      ]);
  }
}

test('leaving out quiet hours that are not next to a run of others leads to the same stretches', async () => {
  let left = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(block, { minLength: 1, maxLength: 3 }), async (blocks) => {
      await fill(blocks);
      const facts = blocks.map(({ stale, open }, index): BlockFacts => {
        const openFrom = { '1m': FROM + open * HOUR_MS, '1h': FROM + open * HOUR_MS, '1d': NEVER };
        const dirty = stale.map((hour) => ({ tier: '1h' as const, bucket: FROM + hour * HOUR_MS }));
        return { blockId: index + 1, openFrom, dirty };
      });
      const watched = blocks.map(({ slot }, index) => ({ blockId: index + 1, slot, limits: LIMITS }));
      const known = new KnownRows(RANGE, facts);
      const retained = { raw: NEVER, '1m': NEVER, '1h': NEVER, '1d': NEVER };
      const read = (leavesQuietOut: boolean) =>
        store.sql.begin((tx) => readHours(tx, watched, { ...RANGE, retained, leavesQuietOut }, known));
      const [all, some] = [await read(false), await read(true)];
      for (const index of watched.keys()) {
        const [whole, part] = [all[index] as SlotHours, some[index] as SlotHours];
        left += whole.hours.length - part.hours.length;
        expect(whole.hours).toEqual(expect.arrayContaining([...part.hours]));
        expect(stretchesOf(part.hours, PLAIN)).toEqual(stretchesOf(whole.hours, PLAIN));
        expect(part.hours.at(-1)).toEqual(whole.hours.at(-1));
        for (const { from } of stretchesOf(whole.hours, PLAIN))
          expect(before(part.hours, from)).toEqual(before(whole.hours, from));
        expect(loud(part.hours)).toEqual(loud(whole.hours));
      }
    }),
    { numRuns: 15, seed: 5 },
  );
  expect(left).toBeGreaterThan(50);
});

test('the hours of two slots of one block are kept apart, with and without the quiet ones', async () => {
  await store.sql`delete from rollup_1h`;
  const [loudOfFirst, loudOfSecond] = [5, 40];
  for (let hour = 0; hour < HOURS; hour += 1)
    await store.sql`
      insert into rollup_1h (bucket, block_id, sum0, cnt0, min0, max0, sum3, cnt3, min3, max3)
      values (${FROM + hour * HOUR_MS}::timestamptz, 1, 0, 10, 0, ${hour === loudOfFirst ? 95 : 20}, 0, 60, 0,
        ${hour === loudOfSecond ? 95 : 20})`;
  const facts = { blockId: 1, openFrom: { '1m': TO, '1h': TO, '1d': NEVER }, dirty: [] };
  const watched = [0, 3].map((slot) => ({ blockId: 1, slot, limits: LIMITS }));
  const retained = { raw: NEVER, '1m': NEVER, '1h': NEVER, '1d': NEVER };
  for (const leavesQuietOut of [false, true]) {
    const found = await store.sql.begin((tx) =>
      readHours(tx, watched, { ...RANGE, retained, leavesQuietOut }, new KnownRows(RANGE, [facts])),
    );
    expect(found.map(({ hours }) => loud(hours).map(({ start }) => (start - FROM) / HOUR_MS))).toEqual([
      [loudOfFirst],
      [loudOfSecond],
    ]);
    expect(found.map(({ hours }) => new Set(hours.map(({ values }) => values)))).toEqual([
      new Set([10]),
      new Set([60]),
    ]);
  }
});

function before(hours: readonly Hour[], time: number): Hour | undefined {
  return hours.find(({ start }) => start === time - HOUR_MS);
}

function loud(hours: readonly Hour[]): Hour[] {
  return hours.filter(({ loudness }) => loudness !== QUIET);
}
