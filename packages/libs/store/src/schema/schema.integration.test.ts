import { startEmptyDatabase } from '@tidewatch/harness/postgres';
import { itRefusesTheEarlierSchema } from './earlier-schema.contract.ts';
import { itHasTheDescribedSchema } from './schema.contract.ts';

itHasTheDescribedSchema('plain', 18, startEmptyDatabase);
itRefusesTheEarlierSchema('plain', startEmptyDatabase);
