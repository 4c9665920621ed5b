import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { perTier, ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { bucketOf, TIER_MS } from '@tidewatch/domain/rollup/buckets';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, expect, test } from 'vitest';
import type { Place, Range, Steps } from '../series-columns.ts';
import { chunkReader } from './chunk-reader.ts';
import { PackedStore } from './packed-store.harness.ts';

const TODAY = bucketOf(Date.now(), DAY_MS);
const DAY = TODAY - DAY_MS;
const ALL_KEPT = perTier(() => Number.NEGATIVE_INFINITY);
/** Samples of the day are gone, as they are after raw retention. */
const NO_SAMPLES = { ...ALL_KEPT, raw: TODAY };
const RANGES: Range[] = [
  { from: DAY, to: TODAY },
  { from: DAY + 3 * HOUR_MS, to: DAY + 11 * HOUR_MS },
  { from: DAY + 3 * HOUR_MS + 17 * MINUTE_MS, to: DAY + 11 * HOUR_MS + 5 * MINUTE_MS },
];

const { sql } = await storeForFile({ sampleLayout: 'log', organizations: ['org_a'] });
const store = new PackedStore(sql);
const random = createRandom(3);
let places: Place[];
let blockIds: number[];

const payload = (host: string, time: number, values: Record<string, number>): Payload => {
  return { host, time, ...metricsOf(values) };
};

beforeAll(async () => {
  const payloads = ['web-01', 'web-02'].flatMap((host) =>
    Array.from({ length: 400 }, () => {
      const values = { cpu: Math.round(random() * 1e4) / 100, load: random() };
      return payload(host, DAY + Math.floor(random() * 12 * HOUR_MS), values);
    }),
  );
  await store.append(payloads);
  await store.seal();
  await store.closeDays();
  places = await sql<Place[]>`
    select b.id as "blockId", m.place::int - 1 as slot
    from blocks b cross join lateral unnest(b.metrics) with ordinality as m (metric, place) order by 1, 2`;
  blockIds = [...new Set(places.map(({ blockId }) => blockId))];
});

const answers = (retained = ALL_KEPT) =>
  Promise.all(
    RANGES.flatMap((range) =>
      ROLLUP_TIERS.map(async (tier) => {
        const request = { ...range, tier, stepMs: TIER_MS[tier], retained };
        return [...(await chunkReader.steps(sql, places, request))];
      }),
    ),
  );

const times = async () => ({
  times: await chunkReader.rowTimes(sql, blockIds, { from: DAY, to: TODAY }, '1m'),
  first: await chunkReader.firstTime(sql, blockIds, { from: DAY + HOUR_MS, to: TODAY }, '1m'),
});

test('steps of a closed day are the same from samples and from rollups, and stay when its samples expire', async () => {
  const whole = await answers();
  const fromSamples = await Promise.all(
    RANGES.flatMap((range) =>
      ROLLUP_TIERS.map(async (tier) => {
        const request = { ...range, tier: 'raw' as const, stepMs: TIER_MS[tier], retained: ALL_KEPT };
        return [...(await chunkReader.steps(sql, places, request))];
      }),
    ),
  );
  // Steps of a day that is partly in the range are added up from those of hours, which rounds once more.
  const rounded = (all: readonly [Place, Steps][][]) =>
    all.map((own) => own.map(([place, steps]) => [place, { ...steps, sum: steps.sum.map(Math.fround) }]));
  expect(rounded(whole)).toEqual(rounded(fromSamples));
  expect(whole[0]).toEqual(fromSamples[0]);
  const before = await times();
  expect(before.times.at.length).toBeGreaterThan(300);

  await sql`delete from sample_days`;
  await sql`delete from sample_chunks`;
  const after = await answers(NO_SAMPLES);
  expect(rounded(after)).toEqual(rounded(whole));
  expect(await times()).toEqual(before);
  expect(await chunkReader.emptyBlocks(sql, [...blockIds, 99])).toEqual([99]);
});

test('late samples of a day whose samples have expired count on top of its rollups until they are sealed', async () => {
  const range = { from: DAY, to: TODAY };
  const request = { ...range, tier: '1h' as const, stepMs: HOUR_MS, retained: NO_SAMPLES };
  const place = places[0] as Place;
  const before = (await chunkReader.steps(sql, [place], request)).get(place) as Steps;
  await store.append([payload('web-01', DAY + HOUR_MS + 1, { cpu: 1e6 })]);
  const after = (await chunkReader.steps(sql, [place], request)).get(place) as Steps;
  const hour = after.at.indexOf(DAY + HOUR_MS);
  expect(after.count[hour]).toBe((before.count[hour] as number) + 1);
  expect(after.max[hour]).toBe(1e6);
  expect(after.max.with(hour, 0)).toEqual(before.max.with(hour, 0));
});
