import { expect, test } from 'vitest';
import { labelsText, type Part, partGroups, shortName, subjectOf } from './part-rows.ts';

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
  ['_percent', '_percent'],
  ['up', 'up'],
])('%s is %s in a table', (metric, name) => {
  expect(shortName(metric)).toBe(name);
});
