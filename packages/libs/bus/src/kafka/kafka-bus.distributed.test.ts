import { describe, inject } from 'vitest';
import { CONTRACT_TOPIC, describeBus } from '../bus.contract.ts';
import { createJsonFormat } from './json-format.ts';
import { openKafkaBed } from './kafka.bed.ts';

async function openBus() {
  const bed = await openKafkaBed();
  const topic = { format: createJsonFormat<unknown>(), deadLetters: 'tidewatch.samples.dead-letter' };
  const { bus } = bed.openBus(new Map([[CONTRACT_TOPIC, topic]]));
  return { bus, committed: () => bed.committed, fail: bed.fail, close: bed.close };
}

describe.skipIf(inject('kafka').state === 'lacked')('[needs Kafka]', () => {
  describeBus('Kafka', openBus as never);
});
