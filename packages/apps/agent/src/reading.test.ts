import { expect, test } from 'vitest';
import { toPayload } from './reading.ts';

const reading = { time: 0, metrics: { cpu_percent: 1 }, processes: [] };
const sent = (containers: [] | undefined) => JSON.parse(toPayload({ ...reading, containers }, 'a', {}));

test('a payload has an empty list for no containers, and no list when no container engine answers', () => {
  expect(sent([])).toMatchObject({ docker_containers: [] });
  expect(sent(undefined)).not.toHaveProperty('docker_containers');
});

test('a payload has the number of processes of each name, also of those that its list leaves out', () => {
  const counted = { ...reading, containers: undefined, processCounts: { nginx: 40 } };
  expect(JSON.parse(toPayload(counted, 'a', {}))).toMatchObject({ process_counts: { nginx: 40 } });
});

test('a payload has the numbers of parts beside their names, and how many were left out', () => {
  const disk = { kind: 'disk', name: 'sda', labels: { type: 'ssd' }, metrics: { utilization_percent: 5 } };
  const unit = { kind: 'unit', name: 'db.service', labels: {}, metrics: { failed: 1 } };
  const whole = { ...reading, containers: undefined, parts: { parts: [disk, unit], leftOut: 3 } };
  expect(JSON.parse(toPayload(whole, 'a', {}))).toMatchObject({
    metrics: { cpu_percent: 1, parts_left_out: 3 },
    parts: [
      { kind: 'disk', name: 'sda', labels: { type: 'ssd' }, utilization_percent: 5 },
      { kind: 'unit', name: 'db.service', failed: 1 },
    ],
  });
});
