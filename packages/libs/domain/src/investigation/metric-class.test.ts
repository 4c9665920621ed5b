import { expect, test } from 'vitest';
import {
  classOf,
  isLoad,
  isOfUnknownClass,
  isPassedOn,
  reasonResourceOf,
  resourceOf,
  worseOf,
} from './metric-class.ts';

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

test.each(['m1', 'checkout_inflight', 'pool_borrowed', 'carts.active'])(
  'the name %s says nothing',
  (metric) => {
    expect(isOfUnknownClass(metric)).toBe(true);
  },
);

test.each([
  'cpu_percent',
  'load_1',
  'latency_ms',
  'requests_total',
  'slots_free',
  'evictions',
  'uptime_seconds',
])('the name %s says what it measures, or which direction is worse', (metric) => {
  expect(isOfUnknownClass(metric)).toBe(false);
});

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

test.each([
  'load_1',
  'load1',
  'node_load15',
  'system_load5',
  'load_load_shortterm',
  'system.cpu.load_average.1m',
  'cpu_load',
])('%s is the load of a host, as agents name it', (metric) => {
  expect([isLoad(metric), resourceOf(metric)]).toEqual([true, 'cpu']);
});

test.each(['workload', 'payload_bytes', 'page_load_time', 'request_load_balancer_errors'])(
  '%s is no load',
  (metric) => {
    expect(isLoad(metric)).toBe(false);
  },
);

test.each([
  ['threads', 'effect'],
  ['pods_ready', 'effect'],
  ['already_running', 'effect'],
  ['group_members', 'effect'],
  ['memcached_items', 'effect'],
  ['order_volume', 'effect'],
  ['cache_hit_ratio_total', 'effect'],
  ['kubernetes_pods', 'effect'],
  ['consent_given', 'effect'],
  ['mem_available_percent', 'memory'],
  ['node_memory_MemFree_bytes', 'memory'],
  ['disk_usage_ratio', 'space'],
  ['kubelet_volume_stats_used_bytes', 'space'],
  ['system.disk.operations', 'traffic'],
  ['diskio_reads', 'traffic'],
  ['rx_bytes', 'traffic'],
  ['net_bytes_recv', 'traffic'],
  ['http_responses_total', 'work'],
  ['http_responses_5xx', 'effect'],
  ['availability_average', 'effect'],
] as const)('%s is of the class %s, by whole words of its name', (metric, expected) => {
  expect(classOf(metric)).toBe(expected);
});

test.each([
  ['packet_loss', 1],
  ['consumer_lag', 1],
  ['gc_pause_seconds', 1],
  ['net_err_in', 1],
  ['container_restarts', 1],
  ['node_vmstat_oom_kill', 1],
  ['unhealthy_hosts', 1],
  ['replicas_unavailable', 1],
  ['healthy_hosts', -1],
  ['replicas_ready', -1],
  ['mem_available_percent', -1],
  ['cache_hit_ratio', -1],
  ['apdex', -1],
  ['flags', 0],
  ['threads', 0],
] as const)('of %s more is worse by %i', (metric, worse) => {
  expect(worseOf(metric)).toBe(worse);
});

test.each([
  ['latency_ms', true],
  ['http_errors', true],
  ['availability_average', true],
  ['m1', true],
  ['queue_length', false],
  ['consumer_lag', false],
  ['cpu_pressure', false],
  ['cpu_percent', false],
  ['requests', false],
] as const)('whether hosts pass on %s: %s', (metric, expected) => {
  expect(isPassedOn(metric)).toBe(expected);
});
