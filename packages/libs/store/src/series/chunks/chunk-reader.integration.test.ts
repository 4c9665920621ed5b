import { createRandom } from '@tidewatch/harness/seeded-random';
import { describeSeriesReader } from '../contract/series-reader.contract.ts';
import { chunkReader } from './chunk-reader.ts';
import { openPackedStore } from './packed-store.harness.ts';

const random = createRandom(7);
describeSeriesReader('plain', chunkReader, () => openPackedStore(random), createRandom);
