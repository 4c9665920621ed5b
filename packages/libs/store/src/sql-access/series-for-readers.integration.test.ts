import { startDatabase } from '@tidewatch/harness/postgres';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { describeSeriesForReaders } from './series-for-readers.contract.ts';

describeSeriesForReaders('plain', 'rows', startDatabase, createRandom);
describeSeriesForReaders('plain', 'log', startDatabase, createRandom);
