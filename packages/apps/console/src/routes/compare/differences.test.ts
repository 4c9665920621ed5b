import { expect, it } from 'vitest';
import { sharedMetrics, tagDifferences } from './differences.ts';

it('separates tags that hosts share from those that differ or are missing', () => {
  const hosts: { tags: Record<string, string> }[] = [
    { tags: { role: 'db', version: '14.2', rack: 'a' } },
    { tags: { role: 'db', version: '14.1' } },
  ];
  expect(tagDifferences(hosts)).toEqual({
    common: [['role', 'db']],
    different: [
      { tag: 'rack', values: ['a', null] },
      { tag: 'version', values: ['14.2', '14.1'] },
    ],
  });
});

it('does not take members of every object for tags', () => {
  expect(
    tagDifferences([{ tags: { constructor: 'x' } }, { tags: {} as Record<string, string> }]).different,
  ).toEqual([{ tag: 'constructor', values: ['x', null] }]);
});

it('charts metrics of at least two hosts, those of all hosts first', () => {
  const hosts: { metrics: Record<string, number> }[] = [
    { metrics: { cpu: 1, disk: 1, only: 1 } },
    { metrics: { cpu: 1, disk: 1 } },
    { metrics: { cpu: 1 } },
  ];
  expect(sharedMetrics(hosts)).toEqual(['cpu', 'disk']);
});
