import { startDatabaseOf } from '@tidewatch/harness/database-of-layout';
import { describeConversion } from './conversion.harness.ts';

describeConversion('plain', () => startDatabaseOf('rows'));
