import { startDatabase } from '@tidewatch/harness/postgres';
import { chooseSampleLayout } from '@tidewatch/harness/sample-layout';
import { createRandom } from '@tidewatch/harness/seeded-random';
import type { StoreUnderTest } from '@tidewatch/store/backends/store.contract';
import { describeSeriesReader } from '@tidewatch/store/series/contract/series-reader.contract';
import { storedSeries } from '@tidewatch/store/series/stored-series';
import { describe, expect } from 'vitest';
import { openStoreUnderTest } from '../store.harness.ts';
import { convert, convertAndEnd } from './interrupted-conversion.harness.ts';

const SEED = 5;
/** After how many transactions the conversion begins, and after how many it has to be done. */
const BEGINS_AT = 6;
const ENDS_AT = 17;

describe('a database that is converted to a log while samples are stored and questions are answered', () => {
  const random = createRandom(SEED);
  describeSeriesReader('plain', storedSeries, () => openConverting(random), createRandom);
});

async function openConverting(random: () => number): Promise<StoreUnderTest> {
  const database = await startDatabase();
  await chooseSampleLayout(database, 'rows');
  const under = await openStoreUnderTest(database, { sealIntervalMs: 100 + random() * 400 });
  let converted: Promise<unknown> | undefined;
  let transactions = 0;

  async function convertWithInterruptions(): Promise<void> {
    for (const most of [2, 4, 6]) {
      const count = Math.ceil(random() * most);
      await convertAndEnd(database, under.now(), { kind: 'after transactions', count });
    }
    await convertAndEnd(database, under.now(), { kind: 'killed', ms: random() * 25 });
    const { days } = await convert(database, under.now());
    expect(days).toBeGreaterThan(0);
    expect(await under.admin`select from tidewatch.samples limit 1`).toHaveLength(0);
  }

  return {
    ...under,
    async send(payloads) {
      await under.send(payloads);
      transactions += 1;
      if (transactions === BEGINS_AT) {
        converted = convertWithInterruptions();
        converted.catch(() => undefined);
      }
      if (transactions === ENDS_AT) await converted;
    },
    async close() {
      expect(transactions).toBeGreaterThanOrEqual(ENDS_AT);
      await converted;
      await under.close();
    },
  };
}
