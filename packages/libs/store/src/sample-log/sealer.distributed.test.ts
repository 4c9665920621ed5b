import { openStore } from '@tidewatch/database/connection';
import { startBackendDatabase } from '@tidewatch/harness/backend-database';
import { openForTest } from '@tidewatch/harness/opened';
import { chooseSampleLayout } from '@tidewatch/harness/sample-layout';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { describe, inject } from 'vitest';
import { describeSealedStreams } from './sealed-streams.contract.ts';

const timescale = inject('timescale');
const isServed = timescale.state !== 'lacked' && timescale.address.backends.includes('apache');

describe.skipIf(!isServed)('[needs Timescale] sealing the log', () => {
  describeSealedStreams([{ seed: 4, maxBytes: 3_000 }], createRandom, async () => {
    const database = await openForTest(startBackendDatabase('apache'));
    await chooseSampleLayout(database, 'log');
    return (await openForTest(openStore({ url: database.url }))).sql;
  });
});
