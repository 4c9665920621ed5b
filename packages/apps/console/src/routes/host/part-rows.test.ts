import { expect, test } from 'vitest';
import {
  labelsText,
  nextOrder,
  type Part,
  partGroups,
  shortName,
  sortParts,
  subjectOf,
  valueText,
} from './part-rows.ts';

const part = (kind: string, name: string, metrics: Record<string, number>): Part => ({
  kind,
  name,
  labels: {},
  metrics,
  time: '2026-11-28T10:00:00.000Z',
});

test('parts stand by kind, and by name as people count', () => {
  const groups = partGroups([
    part('sensor', 'core10', { temperature_celsius: 50 }),
    part('sensor', 'core9', { temperature_celsius: 51 }),
    part('disk', 'sda', { utilization_percent: 5 }),
  ]);
  expect(groups.map(({ kind, parts }) => [kind, ...parts.map(({ name }) => name)])).toEqual([
    ['disk', 'sda'],
    ['sensor', 'core9', 'core10'],
  ]);
});

test('a table shows four metrics, of which people look for the first', () => {
  const metrics = {
    available_bytes: 1,
    read_only: 0,
    size_bytes: 2,
    used_percent: 81,
    inodes_used_percent: 3,
  };
  const [group] = partGroups([
    part('filesystem', '/', metrics),
    part('filesystem', '/srv', { used_percent: 1 }),
  ]);
  expect(group?.metrics).toEqual(['used_percent', 'inodes_used_percent', 'available_bytes', 'read_only']);
});

test('metrics are chosen so that each part shows something', () => {
  const [group] = partGroups([
    part('service', 'checkout', { duration_count: 1, duration_mean: 2, duration_p50: 3, duration_p95: 4 }),
    part('service', 'checkout,payment=card', { orders_per_second: 2 }),
    part('service', 'checkout,state=user', { 'process.cpu': 2 }),
  ]);
  expect(group?.metrics).toEqual(['duration_count', 'orders_per_second', 'process.cpu', 'duration_mean']);
});

test.each([
  ['used_percent', 81.24, '81.2 %'],
  ['temperature_celsius', 41, '41 °C'],
  ['await_ms', 0.44, '0.44 ms'],
  ['failed', 1, 'yes'],
  ['read_only', 0, 'no'],
  ['active', 3, '3'],
  ['paths', 1, '1'],
])('%s of %d is shown as %s', (metric, value, text) => {
  expect(valueText(part('any', 'x', { [metric]: value }), metric)).toBe(text);
});

test('a metric that a part does not have is shown as nothing', () => {
  expect(valueText(part('unit', 'x', {}), 'failed')).toBe('');
});

test('the version is the first of the labels', () => {
  expect(labelsText({ system: 'linux', version: '1.4.0', failing: '' })).toBe('version=1.4.0 system=linux');
});

test('labels are one line, without those that say nothing', () => {
  expect(labelsText({ type: 'ext4', device: '/dev/sda1', note: '' })).toBe('type=ext4 device=/dev/sda1');
});

test('the subject of a part has its kind and its name', () => {
  expect(subjectOf(part('filesystem', '/var:old', {}))).toBe('part:filesystem:/var:old');
});

test.each([
  ['inodes_used_percent', 'inodes used'],
  ['receive_bytes_per_second', 'receive'],
  ['temperature_celsius', 'temperature'],
  ['await_ms', 'await'],
  ['checkout.duration_p95', 'checkout duration p95'],
  ['_percent', '_percent'],
  ['up', 'up'],
])('%s is %s in a table', (metric, name) => {
  expect(shortName(metric)).toBe(name);
});

test('metrics that differ in their unit alone have it in their names', () => {
  const shown = ['used_percent', 'used_bytes', 'size_bytes'];
  expect(shown.map((metric) => shortName(metric, shown))).toEqual(['used percent', 'used bytes', 'size']);
});

test.each([
  ['name', ['/', '/boot', '/srv', '/var']],
  ['-name', ['/var', '/srv', '/boot', '/']],
  ['metric used_percent', ['/srv', '/', '/var', '/boot']],
  ['-metric used_percent', ['/', '/var', '/srv', '/boot']],
  ['-time', ['/srv', '/', '/boot', '/var']],
])('the order %s puts parts without the value last and equal ones by name', (order, names) => {
  const parts = [
    part('filesystem', '/', { used_percent: 50 }),
    part('filesystem', '/boot', {}),
    { ...part('filesystem', '/srv', { used_percent: -1 }), time: '2026-11-28T10:00:10.000Z' },
    part('filesystem', '/var', { used_percent: 50 }),
  ];
  expect(sortParts(parts, order).map(({ name }) => name)).toEqual(names);
});

test('the heading of a number begins with the highest, that of names with the first, and each turns around', () => {
  expect([nextOrder('name', 'time'), nextOrder('-time', 'time'), nextOrder('time', 'time')]).toEqual([
    '-time',
    'time',
    '-time',
  ]);
  expect([nextOrder('-time', 'name'), nextOrder('name', 'name')]).toEqual(['name', '-name']);
});
