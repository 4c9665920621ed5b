import { startBackendDatabase } from '@tidewatch/harness/backend-database';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { describe, inject } from 'vitest';
import { describeSnapshotReaders } from './snapshot-readers.contract.ts';

describe.skipIf(inject('timescale').state === 'lacked')('[needs Timescale] on hypertables', () => {
  describeSnapshotReaders('apache', () => startBackendDatabase('apache'), createRandom);
});
