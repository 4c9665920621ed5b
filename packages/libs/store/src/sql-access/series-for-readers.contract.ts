import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { perTier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { openStore, type Sql } from '@tidewatch/database/connection';
import { bitsOf } from '@tidewatch/domain/chunk/numbers.fixture';
import { bucketOf, tierForStep } from '@tidewatch/domain/rollup/buckets';
import { exactSum } from '@tidewatch/domain/rollup/exact-sum';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunkReader } from '../series/chunks/chunk-reader.ts';
import { PackedStore } from '../series/chunks/packed-store.harness.ts';
import { randomTransactions } from '../series/contract/series-model.fixture.ts';
import { rowReader } from '../series/rows/row-reader.ts';
import type { Place, Range, Samples } from '../series/series-columns.ts';
import { openReader, type ReaderDatabase } from './reader-login.harness.ts';
import { RowStore } from './row-store.harness.ts';

const SEED = 11;
const ORGANIZATION = 'org_a';
/** Metrics in the first block of a host, at its end, and in the second. */
const METRICS = ['m0', 'm15', 'm17'];
const NOTHING_GONE = perTier(() => Number.NEGATIVE_INFINITY);

interface StoredPlace extends Place {
  host: string;
  metric: string;
}

/**
 * Tests that SQL answers bit for bit as the reader of series does, on random streams in a layout of samples. `createRandom` makes a
 * generator of numbers from 0 to below 1.
 */
export function describeSeriesForReaders(
  backend: string,
  layout: 'rows' | 'log',
  start: () => Promise<ReaderDatabase>,
  createRandom: (seed: number) => () => number,
): void {
  const series = layout === 'log' ? chunkReader : rowReader;

  describe(`series in SQL, ${backend}, layout ${layout}, seed ${SEED}`, () => {
    const opened: { close(): unknown }[] = [];
    const random = createRandom(SEED);
    const now = Date.now();
    const today = bucketOf(now, DAY_MS);
    let admin: Sql;
    let reader: Sql;
    let places: StoredPlace[];
    let stored: PackedStore | RowStore;

    beforeAll(async () => {
      const database = await start();
      opened.push(database);
      const store = openStore({ url: database.adminUrl, max: 4 });
      opened.push(store);
      admin = store.sql;
      await admin`update storage_backend set sample_layout = ${layout}`;
      await admin`insert into organizations (id, name) values (${ORGANIZATION}, 'a')`;
      stored = layout === 'log' ? new PackedStore(admin) : new RowStore(admin, ORGANIZATION);
      for (const payloads of randomTransactions(random, now)) await send(payloads);
      const login = await openReader(admin, database, ORGANIZATION);
      opened.push(login);
      reader = login.sql;
      places = await admin<StoredPlace[]>`
        select s.host, m.metric, b.id as "blockId", m.place::int - 1 as slot
        from blocks b join services s on s.id = b.service_id
        cross join lateral unnest(b.metrics) with ordinality as m (metric, place)
        where m.metric = any(${METRICS}::text[]) order by 1, 2`;
    }, 120_000);
    afterAll(async () => {
      for (const each of opened.toReversed()) await each.close();
    });

    /** Stores payloads, of which some are decimals, some doubles and some negative zeros; seals and closes days at random. */
    async function send(payloads: readonly Payload[]): Promise<void> {
      const varied = payloads.map((payload) => ({
        ...payload,
        values: payload.values.map((value) => {
          const kind = random();
          if (kind < 0.02) return -0;
          return kind < 0.1 ? value / 3 : value;
        }),
      }));
      await stored.append(varied);
      if (!(stored instanceof PackedStore)) return;
      if (random() < 0.4) await stored.seal(random() < 0.3);
      if (random() < 0.2) await stored.closeDays();
    }

    function ranges(): Range[] {
      const drawn = Array.from({ length: 3 }, () => {
        const from = now - Math.floor(random() * DAY_MS);
        return { from, to: from + Math.floor(random() * 4 * HOUR_MS) };
      });
      return [{ from: now - 20 * DAY_MS, to: now + HOUR_MS }, { from: today - HOUR_MS, to: now }, ...drawn];
    }

    const samplesOf = async (place: StoredPlace, { from, to }: Range): Promise<Samples> => {
      const rows = (await reader`
        select (extract(epoch from s."time") * 1000)::float8, s.value
        from samples_of(${place.host}, ${place.metric}, ${from}::timestamptz, ${to}::timestamptz) s`.values()) as unknown as [
        number,
        number,
      ][];
      return {
        times: Float64Array.from(rows, ([time]) => time),
        values: Float64Array.from(rows, ([, value]) => value),
      };
    };

    const stepsOf = async (place: StoredPlace, { from, to }: Range, stepMs: number) =>
      (await reader`
        select (extract(epoch from s."time") * 1000)::float8, s.sum, s.count::float8, s.min, s.max
        from steps_of(${place.host}, ${place.metric}, ${from}::timestamptz, ${to}::timestamptz, ${`${stepMs} ms`}::interval) s`.values()) as unknown as number[][];

    it('has the samples of every series, those of the log, chunks, closed days and the backfill', async () => {
      let compared = 0;
      for (const range of ranges()) {
        const wanted = await series.samples(
          admin,
          places.map((place) => ({ ...place, ...range })),
          { withBackfill: true },
        );
        for (const [index, place] of places.entries()) {
          const found = await samplesOf(place, range);
          compared += found.times.length;
          expect(bitsOf(found.times)).toBe(bitsOf(wanted[index]?.times as Float64Array));
          expect(bitsOf(found.values)).toBe(bitsOf(wanted[index]?.values as Float64Array));
        }
      }
      expect(compared).toBeGreaterThan(2_000);
    });

    it('has the steps of every series, whose sums are those of the reader', async () => {
      for (const range of ranges())
        for (const place of places)
          for (const stepMs of [10_000, MINUTE_MS, 5 * MINUTE_MS, HOUR_MS].slice(random() < 0.5 ? 0 : 1)) {
            const request = { ...range, stepMs, tier: 'raw' as const, retained: NOTHING_GONE };
            // Of a range without rollups the reader has the samples alone, without the backfill.
            if (range.from < now - 3 * DAY_MS || range.to - range.from > 100_000 * stepMs) continue;
            const steps = (await series.steps(admin, [place], request)).get(place);
            const samples = await samplesOf(place, range);
            const sums = [...(steps?.at ?? [])].map((at) => {
              const own = samples.values.filter(
                (_, row) => bucketOf(samples.times[row] as number, stepMs) === at,
              );
              return exactSum(own, 0, own.length);
            });
            const wanted = [...(steps?.at ?? [])].map((at, index) => {
              const sum = layout === 'log' ? (steps?.sum[index] as number) : (sums[index] as number);
              return [at, sum, ...[steps?.count, steps?.min, steps?.max].map((c) => c?.[index] as number)];
            });
            expect(plain(await stepsOf(place, range, stepMs))).toEqual(plain(wanted));
          }
    });

    it('has the newest value of every series of a service', async () => {
      const at = now + 1_000;
      const hosts = [...new Set(places.map(({ host }) => host))];
      for (const [index, host] of hosts.entries())
        await stored.append([{ host, time: at, ...metricsOf({ m0: index / 3, m17: -index }) }]);
      for (const [index, host] of hosts.entries()) {
        const found = await reader`
          select metric, container, part, (extract(epoch from "time") * 1000)::float8 as at, value from latest_of(${host})
          where metric in ('m0', 'm17')`;
        const own = { container: null, part: null, at };
        expect(found).toEqual([
          { metric: 'm0', ...own, value: index / 3 },
          { metric: 'm17', ...own, value: -index },
        ]);
      }
    });

    it('has the steps of days whose samples are gone from rollups, with the backfill of those days', async () => {
      const yesterday = { from: today - DAY_MS, to: today };
      const steps = [MINUTE_MS, HOUR_MS, DAY_MS];
      const before = new Map<string, number[][]>();
      const key = (place: StoredPlace, stepMs: number) => `${place.host}/${place.metric}/${stepMs}`;
      if (stored instanceof PackedStore) {
        await stored.seal();
        for (let round = 0; round < 20; round += 1) await stored.closeDays();
      }
      for (const place of places)
        for (const stepMs of steps) before.set(key(place, stepMs), await stepsOf(place, yesterday, stepMs));
      if (layout === 'log') {
        for (const relation of ['sample_days', 'sample_chunks'])
          await admin`select drop_packed_partitions(${relation}, ${today}::timestamptz)`;
      } else {
        await rollUp(admin, yesterday);
        await admin`select drop_partitions('samples', ${today}::timestamptz)`;
      }
      for (const place of places) {
        expect((await samplesOf(place, yesterday)).times).toHaveLength(0);
        for (const stepMs of steps) {
          const found = await stepsOf(place, yesterday, stepMs);
          const earlier = before.get(key(place, stepMs)) as number[][];
          if (layout === 'rows') {
            // Rollups of rows have sums of doubles, which may differ in the last bit.
            expect(plain(withoutSums(found))).toEqual(plain(withoutSums(earlier)));
            continue;
          }
          expect(plain(found)).toEqual(plain(earlier));
          const retained = { ...NOTHING_GONE, raw: today };
          const request = { ...yesterday, stepMs, tier: tierForStep(stepMs), retained };
          const read = (await series.steps(admin, [place], request)).get(place);
          const wanted = [...(read?.at ?? [])].map((at, index) => {
            return [at, ...[read?.sum, read?.count, read?.min, read?.max].map((c) => c?.[index] as number)];
          });
          expect(plain(found)).toEqual(plain(wanted));
        }
      }
    });
  });
}

/** Rows of numbers by their bits. A minimum or maximum of 0 may be either zero: they compare as equal. */
function plain(rows: readonly (readonly number[])[]): string[] {
  return rows.map((row) => bitsOf(Float64Array.from(row, (number) => number + 0)));
}

const withoutSums = (rows: readonly number[][]) =>
  rows.map(([at, _, ...others]) => [at as number, ...others]);

/** Writes the rollups of a day as rows, each from its samples. */
async function rollUp(admin: Sql, { from, to }: Range): Promise<void> {
  const slots = Array.from({ length: 16 }, (_, slot) => slot);
  await admin`select ensure_partition('rollup_1m', ${from}::timestamptz, ${to}::timestamptz)`;
  await admin.unsafe(
    `insert into rollup_1m (bucket, block_id, ${slots.map((n) => `sum${n}, cnt${n}, min${n}, max${n}`).join(', ')})
    select date_bin('1 minute', "time", '1970-01-01 00:00Z'), block_id,
      ${slots.map((n) => `sum(v${n}), nullif(count(v${n}), 0), min(v${n}), max(v${n})`).join(', ')}
    from samples where "time" >= $1::timestamptz and "time" < $2::timestamptz group by 1, 2`,
    [from, to] as never[],
  );
}
