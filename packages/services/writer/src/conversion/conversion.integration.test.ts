import { startDatabase } from '@tidewatch/harness/postgres';
import { describeConversion } from './conversion.harness.ts';

describeConversion('plain', startDatabase);
