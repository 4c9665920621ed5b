import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { expect, it } from 'vitest';
import { countPayloads } from './ingest-meter.ts';

it('the number of samples of a payload counts the values of its host and of its containers', () => {
  const containers = [{ name: 'web', status: 'up', cpu_percent: 1, restarts: 2 }];
  const payloads: Payload[] = [
    { host: 'a', time: 0, ...metricsOf({ x: 1, y: 2, z: 3 }) },
    { host: 'b', time: 0, ...metricsOf({ x: 1 }), containers },
  ];
  expect(countPayloads(payloads)).toEqual({ payloads: 2, values: 4, samples: 6 });
});
