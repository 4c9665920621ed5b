import { startEmptyTimescaleDatabase } from '@tidewatch/harness/backend-database';
import { describe, inject } from 'vitest';
import { itRefusesTheEarlierSchema } from './earlier-schema.contract.ts';
import { itHasTheDescribedSchema } from './schema.contract.ts';

const timescale = inject('timescale');
const served = timescale.state === 'lacked' ? [] : timescale.address.backends;

describe.skipIf(timescale.state === 'lacked')('[needs Timescale] the schema', () => {
  itHasTheDescribedSchema('apache', 15, startEmptyTimescaleDatabase);
  itRefusesTheEarlierSchema('apache', startEmptyTimescaleDatabase);
});

describe.skipIf(!served.includes('community'))('[needs Timescale Community] the schema', () => {
  itHasTheDescribedSchema('community', 15, startEmptyTimescaleDatabase);
});
