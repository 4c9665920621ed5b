import { expect, it } from 'vitest';
import type { FleetRead } from './fleet-changes.ts';
import { type FleetUpdate, withUpdate } from './fleet-update.ts';

const numbers = (...values: number[]) => Float64Array.from(values);

const ALL: FleetRead = {
  columns: {
    id: ['a', 'b', 'c'],
    name: ['web-1', 'web-2', 'web-3'],
    status: ['healthy', 'healthy', 'offline'],
    status_since: numbers(1, 2, 3),
    last_seen: numbers(4, 5, 6),
    cpu_percent: numbers(1, 2, Number.NaN),
    memory_percent: numbers(7, 8, 9),
    disk_percent: numbers(Number.NaN, Number.NaN, Number.NaN),
    critical: numbers(0, 0, 1),
    warning: numbers(0, 0, 0),
    info: numbers(0, 0, 0),
  },
  tags: new Map([['role', [null, 'web', null]]]),
  from: 95,
  upTo: 100,
};

const update = (changes: Partial<FleetUpdate>): FleetUpdate => ({
  parts: [],
  unlisted: [],
  from: 195,
  upTo: 200,
  ...changes,
});

const PARTS = [
  { id: ['c'], columns: { status: ['healthy'] }, tags: new Map([['role', ['db']]]) },
  { id: ['c', 'a'], columns: { cpu_percent: numbers(3, Number.NaN) }, tags: new Map() },
];

it('a fleet has the new values in the rows of their hosts and the times of the later read, and the earlier read stays as it was', () => {
  const next = withUpdate(ALL, update({ parts: PARTS }));
  expect(next).toMatchObject({ from: 195, upTo: 200 });
  expect(next?.columns.status).toEqual(['healthy', 'healthy', 'healthy']);
  expect([...(next?.columns.cpu_percent ?? [])]).toEqual([Number.NaN, 2, 3]);
  expect(next?.tags.get('role')).toEqual([null, 'web', 'db']);
  expect([ALL.columns.status[2], ALL.columns.cpu_percent[2], ALL.tags.get('role')?.[2]]).toEqual([
    'offline',
    Number.NaN,
    null,
  ]);
});

it('columns in which nothing changed are kept, so that they need no comparison', () => {
  const columns = { memory_percent: numbers(9), cpu_percent: numbers(5) };
  const next = withUpdate(ALL, update({ parts: [{ id: ['c'], columns, tags: new Map() }] }));
  expect(next?.columns.memory_percent).toBe(ALL.columns.memory_percent);
  expect(next?.columns.id).toBe(ALL.columns.id);
  expect(next?.tags.get('role')).toBe(ALL.tags.get('role'));
  expect(next?.columns.cpu_percent).not.toBe(ALL.columns.cpu_percent);
});

it('all hosts are to be read again where one came, one left, or a tag is not known from before', () => {
  const part = (id: string, tag: string) => [{ id: [id], columns: {}, tags: new Map([[tag, ['x']]]) }];
  expect(withUpdate(ALL, update({ parts: part('d', 'role') }))).toBeNull();
  expect(withUpdate(ALL, update({ unlisted: ['b'] }))).toBeNull();
  expect(withUpdate(ALL, update({ parts: part('a', 'region') }))).toBeNull();
  expect(withUpdate(ALL, update({ unlisted: ['d'] }))).not.toBeNull();
});
