import { perTier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { retainedTiers } from '@tidewatch/domain/rollup/buckets';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { StorageBackendName } from '../../backends/storage-backend.ts';
import type { StoreUnderTest } from '../../backends/store.contract.ts';
import { CONTRACT_RETENTION } from '../../backends/store.contract.ts';
import type { SeriesReader } from '../series-reader.ts';
import type { StoredPlace } from './asked.harness.ts';
import { Choices } from './choices.fixture.ts';
import { compareReduced } from './compare-reduced.harness.ts';
import { compareValues } from './compare-values.harness.ts';
import { DELETED_HOST, randomTransactions, SeriesModel } from './series-model.fixture.ts';

const SEEDS = [1, 2, 3];
/** The number of random questions of each method at each moment. */
const QUESTIONS = 8;
/** The time after which late rows are in every tier, ms. */
const IN_TIERS = 60_000;
const KEPT = perTier((tier) => CONTRACT_RETENTION[tier] * DAY_MS);

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
          if (index === 2 * quarter) await deleteHost(under);
          if (index % quarter === quarter - 1) await compareAll(`seed ${seed}, transaction ${index}`);
        }
        await rolledUp(under, now - 2 * HOUR_MS);
        await compareAll(`seed ${seed}, rolled up`, now - 2 * HOUR_MS);

        async function compareAll(moment: string, rolledUpTo = Number.NEGATIVE_INFINITY): Promise<void> {
          const places = await placesOf(under);
          const choices = new Choices(random, now, model.allTimes);
          const asked = { reader, model, places, choices, retained, rolledUpTo };
          await under.sql.begin('isolation level repeatable read read only', async (tx) => {
            for (let question = 0; question < QUESTIONS; question += 1) {
              await compareValues(tx, asked, `${moment}, question ${question}`);
              await compareReduced(tx, asked, `${moment}, question ${question}`);
            }
          });
        }
      },
      240_000,
    );
  });
}

/** Deletes a host, whose blocks must not change what is read of others. */
async function deleteHost({ admin }: StoreUnderTest): Promise<void> {
  const { count } =
    await admin`update tidewatch.services set deleted_at = now() where host = ${DELETED_HOST}`;
  expect(count).toBe(1);
}

/** Waits until every minute and hour before `until` (ms) is rolled up, late ones among them. */
async function rolledUp(under: StoreUnderTest, until: number): Promise<void> {
  const blockIds = (await placesOf(under)).map(({ blockId }) => blockId);
  const stale = () => under.sql`
    select from stale_buckets(${blockIds}::int[], ${until - 3 * DAY_MS}, ${until}) where tier in ('1m', '1h')`;
  await vi.waitFor(async () => expect(await stale()).toHaveLength(0), { timeout: IN_TIERS, interval: 250 });
}

async function placesOf({ sql }: StoreUnderTest): Promise<StoredPlace[]> {
  return await sql<StoredPlace[]>`
    select s.host, m.metric, b.id as "blockId", m.place::int - 1 as slot
    from blocks b join services s on s.id = b.service_id
    cross join lateral unnest(b.metrics) with ordinality as m (metric, place)
    where m.metric <> '' and s.host <> ${DELETED_HOST} order by 1, 2`;
}
