import { startEmptyTimescaleDatabase } from '@tidewatch/harness/backend-database';
import { describe, inject } from 'vitest';
import { itRefusesTheEarlierSchema } from './earlier-schema.contract.ts';
import { itHasTheDescribedSchema } from './schema.contract.ts';

describe.skipIf(inject('timescale').state === 'lacked')('[needs Timescale] the schema', () => {
  itHasTheDescribedSchema('apache', 15, startEmptyTimescaleDatabase);
  itRefusesTheEarlierSchema('apache', startEmptyTimescaleDatabase);
});
