import { expect, it } from 'vitest';
import { fleetOf } from '../../fleet/fleet-columns.fixture.ts';
import { neededTags, orderOf, toggled, viewOf } from './hosts-state.ts';
import { sparkPath } from './spark-path.ts';

it('needs the tags of filters, groups, columns and the order, each once', () => {
  const search = {
    tag: ['role:db', 'a\\:b:c'],
    group_by: 'role',
    columns: ['status', 'tag.region'],
    sort: '-tag.rack',
  };
  expect(neededTags(search)).toEqual(['role', 'a:b', 'region', 'rack']);
});

it('sorts the worst hosts first unless the URL names an order that exists', () => {
  expect([orderOf({ sort: 'colour' }), orderOf({ sort: '-cpu_percent' }), orderOf({})]).toEqual([
    'status',
    '-cpu_percent',
    'status',
  ]);
});

it('counts in the legend what it does not select', () => {
  const hosts = fleetOf([{ name: 'a' }, { name: 'b', status: 'critical' }]);
  const view = viewOf(hosts, { status: ['critical'] }, []);
  expect([view.rows, Object.fromEntries(view.legend)]).toEqual([[1], { healthy: 1, critical: 1 }]);
});

it('has the worst hosts of the table first, and equal ones by name', () => {
  const hosts = fleetOf([
    { name: 'a' },
    { name: 'b', status: 'degraded' },
    { name: 'c', status: 'critical' },
    { name: 'd', status: 'degraded' },
  ]);
  const { sorted } = viewOf(hosts, { view: 'table' }, []);
  expect(sorted.map((row) => hosts.names[row])).toEqual(['c', 'b', 'd', 'a']);
});

it('adds and removes a choice, and leaves an empty list out', () => {
  expect([toggled(undefined, 'a'), toggled(['a', 'b'], 'a'), toggled(['a'], 'a')]).toEqual([
    ['a'],
    ['b'],
    undefined,
  ]);
});

it('interrupts a sparkline where samples are missing, and draws a single minute as a dot', () => {
  const points = [0, 1, 5, 9, 10].map((minute) => ({ minute, value: 100 }));
  expect(sparkPath(points)).toBe('M0 1.0L1 1.0M5 1.0h.01M9 1.0L10 1.0');
});
