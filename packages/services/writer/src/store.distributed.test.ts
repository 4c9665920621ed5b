import { startBackendDatabase } from '@tidewatch/harness/backend-database';
import { createRandom } from '@tidewatch/harness/seeded-random';
import type { StorageBackendName } from '@tidewatch/store/backends/storage-backend';
import { describeStore } from '@tidewatch/store/backends/store.contract';
import { describeFacts } from '@tidewatch/store/investigations/facts/facts.contract';
import { describeSeriesReader } from '@tidewatch/store/series/contract/series-reader.contract';
import { storedSeries } from '@tidewatch/store/series/stored-series';
import { describeDirectAccess } from '@tidewatch/store/tenancy/direct-access.contract';
import { describeTenancy } from '@tidewatch/store/tenancy/tenancy.contract';
import { describe, inject } from 'vitest';
import { openStoreUnderTest } from './store.harness.ts';

const timescale = inject('timescale');
const served = timescale.state === 'lacked' ? [] : timescale.address.backends;
const contract = (backend: StorageBackendName) => {
  const open = async () => openStoreUnderTest(await startBackendDatabase(backend));
  describeStore(backend, async () => openStoreUnderTest(await startBackendDatabase(backend, 'rows')));
  describeFacts(backend, open);
  describeSeriesReader(backend, storedSeries, open, createRandom);
  describeTenancy(backend, () => startBackendDatabase(backend));
  describeDirectAccess(backend, () => startBackendDatabase(backend));
};

describe.skipIf(!served.includes('apache'))('[needs Timescale]', () => contract('apache'));
describe.skipIf(!served.includes('community'))('[needs Timescale Community]', () => contract('community'));
