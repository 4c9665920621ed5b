import { metricsOf } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { COARSEST_TIER, perTier, ROLLUP_TIERS } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { bucketOf, retainedFrom, TIER_MS, TIERS, type Tier } from '@tidewatch/domain/rollup/buckets';
import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { openForTest } from '@tidewatch/harness/opened';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import type { StorageBackend } from '@tidewatch/store/backends/storage-backend';
import { backfillFloor, rawFloor } from '@tidewatch/store/retention/retention';
import { readSeries } from '@tidewatch/store/series/read';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Harness, ORGANIZATION, openHarness } from '../testing/writer.harness.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 30);
const KEPT = perTier((tier) => DEFAULT_RETENTION_DAYS[tier] * DAY_MS);

/** The sent samples that count, and whether each arrived within raw retention. */
class Ledger {
  readonly live = new Map<number, number>();
  readonly backfilled = new Map<number, number>();

  /** Records a sample; `standing` says whether its raw row is kept. */
  take(time: number, value: number, now: number, standing: boolean): void {
    if (time < backfillFloor(now, DEFAULT_RETENTION_DAYS)) return;
    if (time >= rawFloor(now, DEFAULT_RETENTION_DAYS)) this.live.set(time, value);
    else if (this.backfilled.has(time) || !(standing || this.#covered(time, value, now)))
      this.backfilled.set(time, value);
  }

  /** Whether the kept bucket of this time was rolled up from values below and above this one. */
  #covered(time: number, value: number, now: number): boolean {
    const tier = ROLLUP_TIERS.find((each) => time >= now - KEPT[each]) ?? COARSEST_TIER;
    const width = TIER_MS[tier];
    const bucket = bucketOf(time, width);
    const values = [...this.live].filter(([at]) => bucketOf(at, width) === bucket).map(([, of]) => of);
    return values.some((of) => of <= value) && values.some((of) => of >= value);
  }

  steps(stepMs: number, from: number, to: number, tier: Tier) {
    const samples = tier === 'raw' ? [...this.live] : [...this.live, ...this.backfilled];
    const steps = new Map<number, number[]>();
    for (const [time, value] of samples) {
      if (time < from || time >= to) continue;
      const at = bucketOf(time, stepMs);
      steps.set(at, [...(steps.get(at) ?? []), value]);
    }
    return [...steps]
      .sort(([a], [b]) => a - b)
      .map(([t, of]) => ({
        t: new Date(t).toISOString(),
        count: of.length,
        min: Math.min(...of),
        max: Math.max(...of),
        sum: of.reduce((sum, value) => sum + value, 0),
      }));
  }
}

const step = fc.record({
  // Sample times in seconds relative to the moving present: in order, late, slightly and far ahead, older than raw
  // retention.
  offset: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: -5, max: 0 }) },
    { weight: 3, arbitrary: fc.integer({ min: -7_200, max: 240 }) },
    { weight: 2, arbitrary: fc.integer({ min: 301, max: 1_800 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1_800, max: 86_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -500_000, max: 0 }) },
    { weight: 1, arbitrary: fc.integer({ min: -3_000_000, max: -700_000 }) },
  ),
  value: fc.integer({ min: 0, max: 9 }),
  again: fc.option(fc.nat(), { freq: 4 }),
  conflict: fc.boolean(),
  advance: fc.constantFrom(0, 5, 20, 55, 600, 4_000),
  action: fc.constantFrom(
    ...['send', 'send', 'send', 'send', 'send', 'batch', 'restart', 'lose', 'drain', 'recover', 'age'],
  ),
  tier: fc.constantFrom(...TIERS),
  steps: fc.integer({ min: 1, max: 3 }),
  from: fc.integer({ min: 0, max: 20_000 }),
  length: fc.integer({ min: 1, max: 20_000 }),
});

/** The step of a request in a tier: any number of seconds for raw rows, otherwise whole buckets. */
const stepOf = (tier: Tier, steps: number) => (tier === 'raw' ? 7 * SECOND_MS : TIER_MS[tier]) * steps;

async function expectExact(
  harness: Harness,
  ledger: Ledger,
  tier: Tier,
  stepMs: number,
  from: number,
  to: number,
) {
  const [service] = await harness.store.sql<{ id: string }[]>`select id from services`;
  const retained = Object.fromEntries(
    TIERS.map((each) => [each, retainedFrom(each, harness.now, KEPT)]),
  ) as Record<Tier, number>;
  const begin = Math.max(from, Math.ceil(retained[tier] / stepMs) * stepMs);
  const [series] = await readSeries(harness.store.sql, {
    organizationId: ORGANIZATION,
    serviceId: service?.id ?? '',
    subject: { kind: 'host', name: 'web-01' },
    metrics: ['cpu'],
    tier,
    stepMs,
    from: begin,
    to,
    retained,
  });
  const points = series?.points;
  const found = Array.from(points?.at ?? [], (at, place) => ({
    t: new Date(at).toISOString(),
    count: points?.count[place],
    min: points?.min[place],
    max: points?.max[place],
    sum: Math.round((points?.avg[place] ?? 0) * (points?.count[place] ?? 0)),
  }));
  expect(found, `${tier} ${stepMs} ${from} ${to}`).toEqual(ledger.steps(stepMs, begin, to, tier));
}

/** Drains a few buckets of one tier, so that reads happen between the drain of one tier and that of the next. */
async function drainALittle(backend: StorageBackend, now: number): Promise<void> {
  await backend.drain(now, 2, 0);
}

it('a series has every minute before a minute of a clock that was ahead, even if that minute was rolled up first', async () => {
  const database = await openForTest(startDatabaseOf('rows'));
  const harness = await openForTest(openHarness(database.url, NOW));
  const backend = await openStorageBackend(harness.store.sql, DEFAULT_RETENTION_DAYS);
  const ledger = new Ledger();
  const send = async (time: number, value: number) => {
    await harness.send([{ host: 'web-01', time, ...metricsOf({ cpu: value }) }]);
    ledger.take(time, value, harness.now, false);
    for (const tier of TIERS)
      await expectExact(harness, ledger, tier, stepOf(tier, 1), NOW - 2 * DAY_MS, NOW + 2 * DAY_MS);
  };
  await send(NOW - HOUR_MS, 1);
  await send(NOW + HOUR_MS, 2);
  for (let minute = 0; minute < 130; minute += 13) {
    harness.now = NOW + minute * 60 * SECOND_MS;
    await drainALittle(backend, harness.now);
    await send(harness.now - HOUR_MS + SECOND_MS, 3);
    if (minute === 78) harness.restart();
  }
});

it('every range of a series is exact for late and repeated samples, between drains, restarts and retention', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(step, { minLength: 15, maxLength: 60 }),
      async (inOneProcess, steps) => {
        const database = await startDatabaseOf('rows');
        const harness = await openHarness(database.url, NOW, { inOneProcess });
        const backend = await openStorageBackend(harness.store.sql, DEFAULT_RETENTION_DAYS);
        const ledger = new Ledger();
        const sent: [number, number][] = [];
        try {
          await harness.send([{ host: 'web-01', time: NOW, ...metricsOf({ cpu: 5 }) }]);
          ledger.take(NOW, 5, NOW, false);
          for (const { offset, value, again, conflict, advance, action, ...read } of steps) {
            harness.now += advance * SECOND_MS;
            const { now } = harness;
            if (action === 'restart') harness.restart();
            if (action === 'drain') await drainALittle(backend, now);
            if (action === 'recover') {
              harness.restart();
              await harness.writer.start();
              await harness.writer.stop();
            }
            if (action === 'age') {
              harness.now += 2 * DAY_MS;
              if (again !== null) await harness.writer.settle();
              await backend.enforceRetention(harness.now);
            }
            const former = again === null ? undefined : sent[again % Math.max(1, sent.length)];
            const time = former?.[0] ?? Math.floor(harness.now / SECOND_MS + offset) * SECOND_MS;
            const cpu = former && !conflict ? former[1] : value;
            const payload = { host: 'web-01', time, ...metricsOf({ cpu }) };
            if (time > harness.now + DAY_MS) continue;
            if (action === 'lose') {
              await harness.sendAndLose([payload]);
              continue;
            }
            const standing = await harness.store.sql`select from samples where "time" = ${time}`;
            const repeated = action === 'batch' ? [payload, payload] : [payload];
            await harness.send(repeated);
            sent.push([time, cpu]);
            ledger.take(time, cpu, harness.now, standing.length > 0);
            const width = stepOf(read.tier, read.steps);
            const center = sent[read.from % sent.length]?.[0] as number;
            const ranges: [number, number][] = [
              [center - read.from * SECOND_MS, center + read.length * SECOND_MS],
              [harness.now - 6 * DAY_MS, harness.now + DAY_MS],
              [harness.now - 60 * DAY_MS, harness.now + 2 * DAY_MS],
            ];
            for (const [from, to] of ranges) {
              // Ranges that only rollups still cover are answered in whole steps.
              const whole = from < retainedFrom('raw', harness.now, KEPT);
              const [a, b] = whole ? [bucketOf(from, width), bucketOf(to, width) + width] : [from, to];
              await expectExact(harness, ledger, read.tier, width, a, b);
            }
          }
          harness.restart();
          harness.now += 3 * HOUR_MS;
          await harness.writer.start();
          await harness.writer.stop();
          await harness.writer.settle();
          for (const tier of TIERS)
            await expectExact(
              harness,
              ledger,
              tier,
              stepOf(tier, 1),
              NOW - 60 * DAY_MS,
              harness.now + 2 * DAY_MS,
            );
        } finally {
          await harness.close();
          await database.close();
        }
      },
    ),
    {
      numRuns: 10,
      seed: 3,
      endOnFailure: true,
    },
  );
}, 600_000);
