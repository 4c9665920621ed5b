import { startDatabase } from '@tidewatch/harness/postgres';
import { describeDirectAccess } from './direct-access.contract.ts';
import { describeTenancy } from './tenancy.contract.ts';

describeTenancy('of the run', startDatabase);
describeDirectAccess('of the run', startDatabase);
