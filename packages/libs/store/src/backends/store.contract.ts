import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { perTier, ROLLUP_TIERS, TIER_FACTS } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { bucketOf, retainedTiers, TIER_MS, TIERS, type Tier } from '@tidewatch/domain/rollup/buckets';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findFleetMembers } from '../fleet/members.ts';
import { readFleetSeries } from '../fleet/series.ts';
import { readSeries } from '../series/read.ts';
import type { StorageBackendName } from './storage-backend.ts';

/** A store with a running writer and its jobs, on an empty database. */
export interface StoreUnderTest {
  organizationId: string;
  /** A connection with the database role of the product. */
  sql: Sql;
  /** A connection with the role of the database superuser. */
  admin: Sql;
  /** A connection with the database role of the investigator. */
  investigator: Sql;
  /** The time of the writer's clock, ms: the real time plus all time added by `pass`. */
  now(): number;
  /** Advances the writer's clock, ms. */
  pass(ms: number): void;
  /** Stores payloads in one transaction, as the writer does. */
  send(payloads: Payload[]): Promise<void>;
  /** Runs the retention job of the writer. */
  enforceRetention(): Promise<void>;
  close(): Promise<void>;
}

/** The time after which late rows are in every tier, ms. */
const IN_TIERS = 60_000;
/** The retention of the store under test, in days. */
export const CONTRACT_RETENTION = { ...DEFAULT_RETENTION_DAYS, raw: 2 };
const KEPT = perTier((tier) => CONTRACT_RETENTION[tier] * DAY_MS);

interface Step {
  at: number;
  count: number;
  min: number;
  max: number;
  sum: number;
}

/** The tests that every storage backend passes; they never call a refresh themselves. */
export function describeStore(backend: StorageBackendName, open: () => Promise<StoreUnderTest>): void {
  describe(`${backend}: the contract of a store`, () => {
    let under: StoreUnderTest;
    /** Every sample that counts, by host and time. */
    let sent: Map<string, Map<number, number>>;

    beforeEach(async () => {
      under = await open();
      sent = new Map();
    });
    afterEach(() => under.close());

    async function send(host: string, samples: [time: number, value: number][]): Promise<void> {
      const own = sent.get(host) ?? new Map<number, number>();
      sent.set(host, own);
      for (const [time, value] of samples) own.set(time, value);
      await under.send(samples.map(([time, value]) => ({ host, time, ...metricsOf({ cpu: value }) })));
    }

    function expected(host: string, stepMs: number, from: number, to: number): Step[] {
      const inside = [...(sent.get(host) ?? [])].filter(([time]) => time >= from && time < to);
      return [...Map.groupBy(inside, ([time]) => bucketOf(time, stepMs))]
        .map(([at, samples]) => {
          const values = samples.map(([, value]) => value);
          const sum = values.reduce((total, value) => total + value, 0);
          return { at, count: values.length, min: Math.min(...values), max: Math.max(...values), sum };
        })
        .sort((a, b) => a.at - b.at);
    }

    const retainedNow = () => retainedTiers(under.now(), KEPT);

    async function read(host: string, tier: Tier, stepMs: number, from: number, to: number): Promise<Step[]> {
      const [service] = await under.sql<{ id: string }[]>`select id from services where host = ${host}`;
      const retained = retainedNow();
      const [series] = await readSeries(under.sql, {
        organizationId: under.organizationId,
        serviceId: service?.id ?? '',
        subject: { kind: 'host', name: host },
        metrics: ['cpu'],
        tier,
        stepMs,
        from,
        to,
        retained,
      });
      const points = series?.points;
      return Array.from(points?.at ?? [], (at, index) => ({
        at,
        count: points?.count[index] ?? 0,
        min: points?.min[index] ?? 0,
        max: points?.max[index] ?? 0,
        sum: Math.round((points?.avg[index] ?? 0) * (points?.count[index] ?? 0)),
      }));
    }

    async function expectExact(host: string, tiers: readonly Tier[] = TIERS): Promise<void> {
      const to = bucketOf(under.now(), DAY_MS) + 2 * DAY_MS;
      for (const tier of tiers) {
        const step = tier === 'raw' ? 10_000 : TIER_MS[tier];
        const from = bucketOf(under.now() - (tier === 'raw' ? KEPT.raw : 20 * DAY_MS), DAY_MS);
        expect(await read(host, tier, step, from, to), tier).toEqual(expected(host, step, from, to));
        await expectFleetExact(tier, step, from, to);
      }
    }

    /** Expects that the mean over all hosts in each step equals the one computed from their samples. */
    async function expectFleetExact(tier: Tier, stepMs: number, from: number, to: number): Promise<void> {
      const [all] = await under.sql.begin('isolation level repeatable read', async (tx) => {
        const what = { metric: 'cpu', selector: {}, grouping: 'all' } as const;
        return await readFleetSeries(tx, {
          members: await findFleetMembers(tx, under.organizationId, what),
          aggregate: 'sum' as const,
          top: null,
          signal: new AbortController().signal,
          tier,
          stepMs,
          from,
          to,
          retained: retainedNow(),
        });
      });
      const steps = [...sent.keys()].flatMap((each) => expected(each, stepMs, from, to));
      const wanted = [...Map.groupBy(steps, ({ at }) => at)].sort(([a], [b]) => a - b);
      expect(all?.at ?? [], tier).toEqual(wanted.map(([at]) => at));
      for (const [index, [, own]] of wanted.entries()) {
        const sum = own.reduce((total, step) => total + step.sum / step.count, 0);
        expect(all?.value[index], tier).toBeCloseTo(sum, 6);
      }
    }

    /** The rows of the rollups for a host's buckets at these times. */
    async function stored(host: string, tier: Exclude<Tier, 'raw'>, times: readonly number[]) {
      const buckets = [...new Set(times.map((time) => bucketOf(time, TIER_MS[tier])))];
      const rows = await under.sql.unsafe<Record<string, number>[]>(
        `select (extract(epoch from r.bucket) * 1000)::int8 as at, r.cnt0 as count, r.min0 as min, r.max0 as max,
          r.sum0 as sum
        from rollup_${tier} r join blocks b on b.id = r.block_id
        join unnest($2::text[]) as w (bucket) on w.bucket::timestamptz = r.bucket
        where b.subject_name = $1 order by 1`,
        [host, buckets.map((bucket) => new Date(bucket).toISOString())],
      );
      return [...rows];
    }

    /** Waits until every tier has the samples of these times, which are in buckets that have ended. */
    async function expectInTiers(host: string, times: readonly number[]): Promise<void> {
      const deadline = performance.now() + IN_TIERS;
      for (const tier of ROLLUP_TIERS) {
        const width = TIER_MS[tier];
        const buckets = new Set(times.map((time) => bucketOf(time, width)));
        const wanted = expected(host, width, 0, Number.POSITIVE_INFINITY).filter(({ at }) => buckets.has(at));
        const timeout = Math.max(1, deadline - performance.now());
        await vi.waitFor(async () => expect(await stored(host, tier, times), tier).toEqual(wanted), {
          timeout,
          interval: 250,
        });
      }
    }

    /** Noon of the day before yesterday: within raw retention, in buckets of every tier that have ended. */
    const past = () => bucketOf(under.now(), DAY_MS) - 36 * HOUR_MS;
    const series = (from: number, count: number, everyMs: number, value = (n: number) => n % 17) =>
      Array.from({ length: count }, (_, n): [number, number] => [from + n * everyMs, value(n)]);

    /** Sends samples of the past, and later ones that end their minutes, hours and day. */
    async function sendHistory(host: string, samples: [time: number, value: number][]): Promise<void> {
      const hours = [24, 26, 28].map((hour): [number, number] => [past() + hour * HOUR_MS, 1]);
      await send(host, [...samples, ...hours, [bucketOf(under.now(), 1_000), 1]]);
    }

    it('has the newest sample in the first answer after its commit', async () => {
      const time = Math.floor(under.now() / 1_000) * 1_000;
      await send('web-01', [[time, 7]]);
      await expectExact('web-01');
      await send('web-01', [[time + 1_000, 9]]);
      await expectExact('web-01');
    });

    it('answers the same at any moment: in order, late, twice, corrected, and backfilled', async () => {
      const from = past();
      await sendHistory('web-01', series(from, 400, 20_000));
      await expectExact('web-01');
      await send('web-01', series(from + 7_000, 30, 600_000));
      await expectExact('web-01');
      await expectInTiers('web-01', [from, from + 7_000]);
      await expectExact('web-01');
      await send('web-01', series(from, 40, 20_000));
      await send('web-01', [[from + 20_000, 99]]);
      await expectExact('web-01');
      await send('web-01', series(bucketOf(under.now(), DAY_MS) - 12 * DAY_MS, 20, 7_000));
      await expectExact('web-01', ['1m', '1h', '1d']);
      await expectInTiers('web-01', [from, from + 20_000]);
      await expectExact('web-01');
    }, 240_000);

    it('has late rows in every tier within a minute', async () => {
      const from = past();
      await sendHistory('web-01', series(from, 200, 30_000));
      await sendHistory('web-02', series(from, 200, 30_000));
      await expectInTiers('web-01', [from]);
      const late = from + 11_000;
      await send('web-01', [[late, 50]]);
      await expectExact('web-01');
      await expectInTiers('web-01', [late]);
      await expectExact('web-01');
      await expectExact('web-02');
    }, 240_000);

    it('has one relation of rollups for each tier of the table, in the order of which it knows how far they are complete', async () => {
      const relations = await under.sql<{ name: string }[]>`
        select relname as name from pg_class
        where relnamespace = 'tidewatch'::regnamespace and relname ~ '^rollup_[0-9]+[a-z]$'`;
      expect(relations.map(({ name }) => name).sort()).toEqual(
        ROLLUP_TIERS.map((tier) => TIER_FACTS[tier].relation).sort(),
      );
      const { columns } = await under.sql`select * from rollup_standing('{}')`;
      expect(columns.map(({ name }) => name)).toEqual([
        'block_id',
        ...ROLLUP_TIERS.map((tier) => `open_${tier}`),
      ]);
    });

    it('keeps what was rolled up once its samples are gone, whatever comes for that time', async () => {
      const time = past();
      await sendHistory('web-01', series(time, 120, 10_000));
      await expectInTiers('web-01', [time, time + 20 * MINUTE_MS - 10_000]);
      const held = async () => await Promise.all(ROLLUP_TIERS.map((tier) => stored('web-01', tier, [time])));
      const before = await held();
      under.pass(4 * DAY_MS);
      await under.send([]);
      const dropped = async () => {
        await under.enforceRetention();
        expect(await under.sql`select from samples`).toHaveLength(0);
      };
      await vi.waitFor(dropped, { timeout: IN_TIERS, interval: 250 });
      await expectExact('web-01', ROLLUP_TIERS);
      await send('web-02', [[time + 3_000, 1_000]]);
      await send('web-01', [[time + 4 * DAY_MS, 3]]);
      expect(await held()).toEqual(before);
      await expectExact('web-01', ROLLUP_TIERS);
      await expectExact('web-02', ROLLUP_TIERS);
    }, 240_000);

    it('takes rows into chunks that were compressed', async () => {
      const from = past();
      const old = bucketOf(under.now(), DAY_MS) - 12 * DAY_MS;
      await sendHistory('web-01', series(from, 300, 20_000));
      await send('web-01', series(old, 100, 20_000));
      await expectInTiers('web-01', [from]);
      if (backend === 'community') await compressAll(under.admin);
      await expectExact('web-01', ['1m', '1h', '1d']);
      await send('web-01', series(from + 5_000, 50, 60_000));
      await send('web-01', [...series(from, 20, 20_000), [from + 40_000, 77]]);
      await send('web-01', [...series(old + 3_000, 50, 20_000), [old, 88]]);
      await expectExact('web-01', ['1m', '1h', '1d']);
      await expectInTiers('web-01', [from, from + 5_000, from + 40_000]);
      await expectExact('web-01', ['1m', '1h', '1d']);
    }, 240_000);
  });
}

async function compressAll(admin: Sql): Promise<void> {
  for (const relation of ['samples', 'samples_backfill', 'rollup_1m', 'rollup_1h', 'rollup_1d'])
    await admin`select public.compress_chunk(chunk) from public.show_chunks(${`tidewatch.${relation}`}::regclass) as s (chunk)`;
  const [found] = await admin<{ compressed: number }[]>`
    select count(*)::integer as compressed from timescaledb_information.chunks where is_compressed`;
  expect(found?.compressed).toBeGreaterThan(4);
}
