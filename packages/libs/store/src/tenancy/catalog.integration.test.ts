import { startDatabase } from '@tidewatch/testkit/postgres';
import { describeTenancy } from './tenancy.contract.ts';

describeTenancy('of the run', startDatabase);
