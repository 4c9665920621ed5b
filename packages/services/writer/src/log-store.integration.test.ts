import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { describeFacts } from '@tidewatch/store/investigations/facts/facts.contract';
import { describeSeriesReader } from '@tidewatch/store/series/contract/series-reader.contract';
import { storedSeries } from '@tidewatch/store/series/stored-series';
import { describe } from 'vitest';
import { openStoreUnderTest } from './store.harness.ts';

const open = async () => openStoreUnderTest(await startDatabaseOf('log'));
describe('a database that keeps samples as a log', () => {
  describeFacts('plain', open);
  describeSeriesReader('plain', storedSeries, open, createRandom);
});
