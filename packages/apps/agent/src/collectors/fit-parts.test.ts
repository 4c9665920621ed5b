import { expect, test } from 'vitest';
import type { FoundPart } from './collector.ts';
import { fitParts, MAX_PART_NUMBERS, MAX_PARTS } from './fit-parts.ts';

const many = (kind: string, count: number, numbers = 1): FoundPart[] =>
  Array.from({ length: count }, (_, index) => ({
    kind,
    name: `n${index}`,
    metrics: Object.fromEntries(Array.from({ length: numbers }, (_, metric) => [`m${metric}`, 1])),
  }));

test('leaves out the least important parts of the kinds with most of them, and says how many', () => {
  const { parts, leftOut } = fitParts([...many('disk', 300), ...many('unit', 200), ...many('agent', 1)]);
  expect(parts).toHaveLength(MAX_PARTS);
  expect(leftOut).toBe(501 - MAX_PARTS);
  const names = (kind: string) => parts.filter((part) => part.kind === kind).map(({ name }) => name);
  expect(names('agent')).toEqual(['n0']);
  expect(Math.abs(names('disk').length - names('unit').length)).toBeLessThanOrEqual(1);
  expect(names('disk')).toEqual(many('disk', names('disk').length).map(({ name }) => name));
});

test('keeps the numbers of all parts within the limit of a host', () => {
  const { parts } = fitParts(many('disk', 200, 20));
  expect(parts).toHaveLength(MAX_PART_NUMBERS / 20);
});

test('has each kind and name once, also after a long name was shortened, and drops empty labels', () => {
  const found: FoundPart[] = [
    { kind: 'disk', name: 'a', labels: { model: ' ', type: ' ssd ' }, metrics: { x: 1 } },
    { kind: 'disk', name: 'a', metrics: { x: 2 } },
    { kind: 'network', name: 'a', labels: {}, metrics: { x: 3 } },
    { kind: 'disk', name: `${'y'.repeat(255)}1`, metrics: {} },
    { kind: 'disk', name: `${'y'.repeat(255)}2`, metrics: {} },
    { kind: 'disk', name: '', metrics: {} },
  ];
  const { parts, leftOut } = fitParts(found);
  expect(parts.map(({ kind, name }) => `${kind}:${name.slice(0, 3)}`)).toEqual([
    'disk:a',
    'disk:yyy',
    'network:a',
  ]);
  expect(parts[0]).toEqual({ kind: 'disk', name: 'a', labels: { type: 'ssd' }, metrics: { x: 1 } });
  expect(parts.at(-1)?.labels).toEqual({});
  expect(leftOut).toBe(0);
});
