import { startBackendDatabase } from '@tidewatch/harness/backend-database';
import { describe, inject } from 'vitest';
import { describeConversion } from './conversion.harness.ts';

const timescale = inject('timescale');
const served = timescale.state === 'lacked' ? [] : timescale.address.backends;

describe.skipIf(!served.includes('apache'))('[needs Timescale]', () => {
  describeConversion('apache', () => startBackendDatabase('apache', 'rows'));
});
