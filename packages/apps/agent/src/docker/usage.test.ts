import { expect, test } from 'vitest';
import { containerCpuPercent, distinctNames, memoryUsage, selectReported, toContainer } from './usage.ts';

test('computes the processor use of a container as percent of one core', () => {
  expect(containerCpuPercent({ used: 1_000_000_000, at: 0 }, { used: 6_000_000_000, at: 10_000 })).toBe(50);
});
test.each([
  ['at the first reading', undefined, { used: 1, at: 1 }],
  ['after a restart of the container', { used: 9, at: 0 }, { used: 1, at: 1 }],
  ['while no time has passed', { used: 1, at: 1 }, { used: 2, at: 1 }],
])('leaves out the processor use of a container %s', (_, before, after) =>
  expect(containerCpuPercent(before, after)).toBeUndefined(),
);

test('subtracts reclaimable page cache from the memory of a container, for cgroup v1 and v2', () => {
  expect(memoryUsage({ memory_stats: { usage: 100, stats: { inactive_file: 30 } } })).toBe(70);
  expect(memoryUsage({ memory_stats: { usage: 100, stats: { total_inactive_file: 40 } } })).toBe(60);
  const both = { inactive_file: 5, total_inactive_file: 40 };
  expect(memoryUsage({ memory_stats: { usage: 100, stats: both } })).toBe(60);
  expect(memoryUsage({ memory_stats: {} })).toBeUndefined();
});

test('converts a container of the Docker API to the form that ingest accepts', () => {
  const listed = { Id: 'abcdef0123456789', Names: ['/api'], Image: 'shop/api:1.4.2', State: 'running' };
  expect(toContainer(listed, 'api', { memory_stats: { usage: 5 } }, 12.5)).toEqual({
    name: 'api',
    id: 'abcdef0123456789',
    image: 'shop/api:1.4.2',
    status: 'running',
    cpu_percent: 12.5,
    memory_usage: 5,
  });
  expect(toContainer({ Id: 'abcdef01' }, 'x', undefined, undefined)).toEqual({ name: 'x', id: 'abcdef01' });
});

test('selects running and paused containers first where not all can be reported', () => {
  const container = (name: string, State: string) => ({ Id: name, Names: [`/${name}`], State });
  const listed = [container('a', 'exited'), container('b', 'running'), container('c', 'paused')];
  expect(selectReported(listed, 2).map(({ Id }) => Id)).toEqual(['b', 'c']);
  expect(selectReported(listed, 3).map(({ Id }) => Id)).toEqual(['a', 'b', 'c']);
});

test.each([
  [['/hydra/sab', '/sab'], 'sab'],
  [['/sab', '/hydra/sab'], 'sab'],
  [['/only/link'], 'only/link'],
])('reports a container with the names %j as %s', (Names, name) => {
  expect([...distinctNames([{ Id: 'x', Names }]).values()]).toEqual([name]);
});

test('gives containers of one name a name each, the plain one to the newest that runs', () => {
  const long = 'x'.repeat(255);
  const entry = (Id: string, name: string, State: string, Created: number) => ({
    Id: Id.repeat(16),
    Names: [`/${name}`],
    State,
    Created,
  });
  const listed = [
    entry('a', 'pod', 'exited', 9),
    entry('b', 'pod', 'running', 5),
    entry('c', 'pod', 'running', 7),
    entry('d', long, 'running', 1),
    entry('e', `${long}y`, 'running', 2),
    { Id: 'f'.repeat(16) },
  ];
  const names = distinctNames(listed);
  expect(listed.map((each) => names.get(each))).toEqual([
    'pod-aaaaaaaaaaaa',
    'pod-bbbbbbbbbbbb',
    'pod',
    `${'x'.repeat(242)}-dddddddddddd`,
    long,
    'ffffffffffff',
  ]);
});
