/** Exports kafkajs for every other module of the bus, with the correction that `patches/README.md` describes. */
import { requirePatch } from '@tidewatch/contracts/values/required-patch';
import kafkajs from 'kafkajs';

requirePatch({ library: 'kafkajs', found: kafkajs.patched, required: 'tidewatch 1' });

export { kafkajs };
