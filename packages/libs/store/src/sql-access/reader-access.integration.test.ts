import { startDatabase } from '@tidewatch/harness/postgres';
import { describeReaderAccess } from './reader-access.contract.ts';

describeReaderAccess('plain', startDatabase);
