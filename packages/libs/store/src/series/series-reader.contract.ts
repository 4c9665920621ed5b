import { perTier, TIERS, type Tier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { bucketOf, retainedTiers, TIER_MS } from '@tidewatch/domain/rollup/buckets';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StorageBackendName } from '../backends/storage-backend.ts';
import type { StoreUnderTest } from '../backends/store.contract.ts';
import { CONTRACT_RETENTION } from '../backends/store.contract.ts';
import type { BlockSpan, KnownBlocks, Place, Range } from './series-columns.ts';
import { randomTransactions, SeriesModel } from './series-model.fixture.ts';
import type { SeriesReader } from './series-reader.ts';

const SEEDS = [1, 2, 3];
/** The number of random questions of each method at each moment. */
const QUESTIONS = 8;
/** The time after which late rows are in every tier, ms. */
const IN_TIERS = 60_000;
const KEPT = perTier((tier) => CONTRACT_RETENTION[tier] * DAY_MS);
const ALWAYS: Range = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** A series of the model and where it is stored. */
interface StoredPlace extends Place {
  host: string;
  metric: string;
}

/**
 * The tests that every reader of series passes, on random streams that a writer stored, against a naive model. `createRandom` makes a
 * generator of numbers from 0 to below 1.
 */
export function describeSeriesReader(
  backend: StorageBackendName,
  reader: SeriesReader,
  open: () => Promise<StoreUnderTest>,
  createRandom: (seed: number) => () => number,
): void {
  describe(`${backend}: the contract of a reader of series`, () => {
    let under: StoreUnderTest;
    afterEach(() => under?.close());

    it.each(SEEDS)(
      'answers as a naive model at any moment, for streams of seed %i',
      async (seed) => {
        under = await open();
        const random = createRandom(seed);
        const now = under.now();
        const retained = retainedTiers(now, KEPT);
        const model = new SeriesModel(retained.raw);
        const transactions = randomTransactions(random, now);
        const quarter = Math.ceil(transactions.length / 4);
        for (const [index, payloads] of transactions.entries()) {
          await under.send(payloads);
          model.add(payloads);
          if (index % quarter === quarter - 1) await compareAll(`seed ${seed}, transaction ${index}`);
        }
        await rolledUp(under, now - HOUR_MS);
        await compareAll(`seed ${seed}, rolled up`);

        async function compareAll(moment: string): Promise<void> {
          const places = await placesOf(under);
          const questions = new Questions({ reader, model, places, random, now, retained });
          await under.sql.begin('isolation level repeatable read read only', async (tx) => {
            for (let question = 0; question < QUESTIONS; question += 1)
              await questions.compare(tx, `${moment}, question ${question}`);
          });
        }
      },
      240_000,
    );
  });
}

/** Waits until every minute before `until` (ms) is rolled up, late ones among them. */
async function rolledUp(under: StoreUnderTest, until: number): Promise<void> {
  const blockIds = (await placesOf(under)).map(({ blockId }) => blockId);
  const stale = () => under.sql`
    select from stale_buckets(${blockIds}::int[], ${until - 3 * DAY_MS}, ${until}) where tier = '1m'`;
  await vi.waitFor(async () => expect(await stale()).toHaveLength(0), { timeout: IN_TIERS, interval: 250 });
}

async function placesOf({ sql }: StoreUnderTest): Promise<StoredPlace[]> {
  return await sql<StoredPlace[]>`
    select s.host, m.metric, b.id as "blockId", m.place::int - 1 as slot
    from blocks b join services s on s.id = b.service_id
    cross join lateral unnest(b.metrics) with ordinality as m (metric, place)
    where m.metric <> '' order by 1, 2`;
}

interface Subject {
  reader: SeriesReader;
  model: SeriesModel;
  places: readonly StoredPlace[];
  random: () => number;
  now: number;
  retained: Record<Tier, number>;
}

/** Random questions to a reader, each compared with the model. */
class Questions {
  readonly #subject: Subject;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  async compare(tx: Transaction, moment: string): Promise<void> {
    await this.#compareSteps(tx, moment);
    await this.#compareSamples(tx, moment);
    await this.#compareNewest(tx, moment);
  }

  #some<T>(all: readonly T[]): T[] {
    const share = this.#subject.random();
    const some = all.filter(() => this.#subject.random() < share);
    return some.length > 0 ? some : all.slice(0, 1);
  }

  #pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.#subject.random() * all.length)] as T;
  }

  /** A range within raw retention or, of whole days, one that begins before it. */
  #range(isLong: boolean): Range {
    const { random, now } = this.#subject;
    const midnight = bucketOf(now, DAY_MS);
    if (isLong) return { from: midnight - Math.floor(3 + 12 * random()) * DAY_MS, to: midnight + DAY_MS };
    const from = midnight - Math.floor(random() * 14 * HOUR_MS);
    const lengths = [1, 5 * MINUTE_MS, HOUR_MS, 30 * HOUR_MS];
    return { from, to: from + Math.ceil(random() * this.#pick(lengths)) };
  }

  async #compareSteps(tx: Transaction, moment: string): Promise<void> {
    const { reader, model, places, random, retained } = this.#subject;
    const tier = this.#pick(TIERS);
    const range = this.#range(tier !== 'raw' && random() < 0.3);
    const isDay = range.to - range.from > 2 * HOUR_MS;
    const stepMs =
      tier === 'raw'
        ? this.#pick([1_000, 7_000, 90_000, HOUR_MS].slice(isDay ? 2 : 0))
        : TIER_MS[tier] * this.#pick([1, 2, 5]);
    const some = this.#some(places);
    const known = await this.#knownOrNot(tx, some, range);
    const request = { ...range, tier, stepMs, retained };
    const steps = await reader.steps(tx, some, request, known);
    const means = await reader.means(tx, some, request, known);
    for (const place of some) {
      const what = `${moment}: steps ${JSON.stringify({ place, ...request })}`;
      const wanted = model.steps(place.host, place.metric, range, stepMs);
      const found = steps.get(place);
      const column = (name: 'at' | 'count' | 'min' | 'max') => wanted.map((step) => step[name]);
      for (const name of ['at', 'count', 'min', 'max'] as const)
        expect([...(found?.[name] ?? [])], `${what}, ${name}`).toEqual(column(name));
      expect([...(means.get(place)?.at ?? [])], what).toEqual(column('at'));
      for (const [index, { sum, count }] of wanted.entries()) {
        expect(found?.sum[index], what).toBeCloseTo(sum, 6);
        expect(means.get(place)?.mean[index], what).toBeCloseTo(sum / count, 6);
      }
    }
  }

  async #knownOrNot(
    tx: Transaction,
    places: readonly Place[],
    { from, to }: Range,
  ): Promise<KnownBlocks | undefined> {
    const { reader, random } = this.#subject;
    if (random() < 0.5) return undefined;
    const blockIds = [...new Set(places.map(({ blockId }) => blockId))];
    return await reader.know(tx, blockIds, { from: from - HOUR_MS, to: to + HOUR_MS });
  }

  async #compareSamples(tx: Transaction, moment: string): Promise<void> {
    const { reader, model, places, random } = this.#subject;
    const shared = this.#range(random() < 0.2);
    const withBackfill = random() < 0.5;
    const spans = this.#some(places).map((place) => {
      const range = random() < 0.3 ? this.#range(random() < 0.2) : shared;
      return { ...place, ...range, firstOnly: random() < 0.2 };
    });
    const found = await reader.samples(tx, spans, { withBackfill });
    expect(found, moment).toHaveLength(spans.length);
    for (const [index, span] of spans.entries()) {
      const all = model.samples(span.host, span.metric, span);
      const kept = all.filter(({ isBackfilled }) => withBackfill || !isBackfilled);
      const wanted = span.firstOnly ? kept.slice(0, 1) : kept;
      const what = `${moment}: samples ${JSON.stringify({ ...span, withBackfill })}`;
      expect([...(found[index]?.times ?? [])], what).toEqual(wanted.map(({ time }) => time));
      expect([...(found[index]?.values ?? [])], what).toEqual(wanted.map(({ value }) => value));
    }
  }

  async #compareNewest(tx: Transaction, moment: string): Promise<void> {
    const { reader, model, places, random } = this.#subject;
    const some = this.#some(places);
    const metricsOf = (blockId: number) =>
      places.filter((place) => place.blockId === blockId).map(({ metric }) => metric);
    const spans = [...new Map(some.map((place) => [place.blockId, place])).values()].map(
      ({ blockId, host }): BlockSpan & { host: string } => {
        const { from, to } = this.#range(random() < 0.2);
        return { blockId, host, from: random() < 0.3 ? ALWAYS.from : from, to };
      },
    );
    const newest = await reader.newestTimes(tx, spans);
    const bySlot = await reader.newestBySlot(tx, spans);
    for (const { host, ...span } of spans) {
      const what = `${moment}: newest ${JSON.stringify(span)}`;
      expect(newest.get(span.blockId), what).toBe(model.times(host, metricsOf(span.blockId), span).at(-1));
      for (const place of places.filter(({ blockId }) => blockId === span.blockId)) {
        const wanted = model.samples(host, place.metric, span).at(-1)?.time ?? Number.NaN;
        expect(bySlot.get(span.blockId)?.[place.slot] ?? Number.NaN, `${what}, ${place.metric}`).toBe(wanted);
      }
    }
    const { to } = this.#range(false);
    const withinMs = Math.ceil(random() * HOUR_MS);
    const values = await reader.newestValues(tx, some, { to, withinMs });
    for (const [index, { blockId, host, metric }] of some.entries()) {
      const last = model.times(host, metricsOf(blockId), { from: ALWAYS.from, to }).at(-1) ?? Number.NaN;
      const own = model.samples(host, metric, { from: last - withinMs + 1, to }).at(-1);
      const wanted = own === undefined ? null : { time: own.time, value: own.value };
      expect(values[index], `${moment}: values ${JSON.stringify({ blockId, metric, to, withinMs })}`).toEqual(
        wanted,
      );
    }
  }
}
