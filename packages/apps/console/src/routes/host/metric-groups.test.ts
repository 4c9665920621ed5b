import { expect, it } from 'vitest';
import { groupMetrics } from './metric-groups.ts';

const METRICS = [
  'net_rx_bytes_per_second',
  'load_1',
  'memory_percent',
  'cpu_percent',
  'http_requests_total',
  'cpu_idle',
];

it('groups metrics by their names, the usual ones first', () => {
  expect(groupMetrics(METRICS, [], '')).toEqual([
    { name: 'CPU', metrics: ['cpu_percent', 'cpu_idle', 'load_1'] },
    { name: 'Memory', metrics: ['memory_percent'] },
    { name: 'Network', metrics: ['net_rx_bytes_per_second'] },
    { name: 'Other', metrics: ['http_requests_total'] },
  ]);
});

it('shows pinned metrics once, before all others, in the order of pinning', () => {
  expect(groupMetrics(METRICS, ['load_1', 'gone', 'cpu_idle'], '').slice(0, 2)).toEqual([
    { name: 'Pinned', metrics: ['load_1', 'cpu_idle'] },
    { name: 'CPU', metrics: ['cpu_percent'] },
  ]);
});

it('filters by a part of the name, whatever its case', () => {
  expect(groupMetrics(METRICS, ['load_1'], ' CPU ')).toEqual([
    { name: 'CPU', metrics: ['cpu_percent', 'cpu_idle'] },
  ]);
});
