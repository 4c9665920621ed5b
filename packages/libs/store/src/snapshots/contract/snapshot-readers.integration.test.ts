import { startDatabase } from '@tidewatch/harness/postgres';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { describeSnapshotReaders } from './snapshot-readers.contract.ts';

describeSnapshotReaders('plain', startDatabase, createRandom);
