import { startDatabase } from '@tidewatch/harness/postgres';
import { describeUnpacking } from './unpacking.contract.ts';

describeUnpacking('plain', startDatabase);
