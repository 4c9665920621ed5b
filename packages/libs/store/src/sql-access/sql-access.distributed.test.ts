import { startBackendDatabase } from '@tidewatch/harness/backend-database';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { describe, inject } from 'vitest';
import { describeReaderAccess } from './reader-access.contract.ts';
import { describeSeriesForReaders } from './series-for-readers.contract.ts';
import { describeUnpacking } from './unpacking.contract.ts';

const timescale = inject('timescale');
const served = timescale.state === 'lacked' ? [] : timescale.address.backends;

describe.skipIf(!served.includes('apache'))('[needs Timescale] SQL for the tools of users', () => {
  const start = () => startBackendDatabase('apache');
  describeUnpacking('apache', start);
  describeReaderAccess('apache', start);
  describeSeriesForReaders('apache', 'rows', start, createRandom);
  describeSeriesForReaders('apache', 'log', start, createRandom);
});

describe.skipIf(!served.includes('community'))(
  '[needs Timescale Community] SQL for the tools of users',
  () => {
    describeReaderAccess('community', () => startBackendDatabase('community'));
  },
);
