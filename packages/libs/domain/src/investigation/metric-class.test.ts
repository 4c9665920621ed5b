import { expect, test } from 'vitest';
import { classOf, reasonResourceOf, resourceOf } from './metric-class.ts';

test.each([
  ['cpu_percent', 'cpu'],
  ['load_1', 'cpu'],
  ['memory_percent', 'memory'],
  ['swap_percent', 'memory'],
  ['disk_percent', 'disk'],
  ['disk_write_bytes_per_second', 'disk'],
  ['disk_io_wait_percent', 'disk'],
  ['network_receive_bytes_per_second', 'network'],
])("%s measures the host's own %s", (metric, resource) => {
  expect(resourceOf(metric)).toBe(resource);
});

test.each(['cpu_steal_percent', 'latency_ms', 'errors_per_second', 'queue_length', 'requests_per_second'])(
  'the metric %s is classed as an effect and not as a resource',
  (metric) => {
    expect(resourceOf(metric)).toBeNull();
  },
);

test('a metric of what waits for a disk is classed as an effect', () => {
  expect(classOf('disk_io_wait_percent')).toBe('effect');
});

test.each([
  ['cpu_percent', 'cpu'],
  ['disk_util_percent', 'disk'],
  ['disk_io_wait_percent', 'disk'],
  ['disk_percent', 'disk'],
  ['disk_write_bytes_per_second', null],
  ['network_receive_bytes_per_second', null],
  ['requests_per_second', null],
])('more of %s explains trouble by the resource %s', (metric, resource) => {
  expect(reasonResourceOf(metric)).toBe(resource);
});
