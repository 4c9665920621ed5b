/**
 * kafkajs, taken from here by the rest of the bus: with the fault corrected that `patches/README.md` describes.
 */
import { requirePatch } from '@tidewatch/contracts/values/required-patch';
import kafkajs from 'kafkajs';

requirePatch({ library: 'kafkajs', found: kafkajs.patched, required: 'tidewatch 1' });

export { kafkajs };
