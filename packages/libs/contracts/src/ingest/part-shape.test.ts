import { expect, it } from 'vitest';
import { PartShapes } from './part-shape.ts';

const lists = (name: string) => ({
  kinds: ['disk'],
  names: [name],
  labels: [{ model: 'a' }],
  metrics: ['busy_percent'],
  ends: [1],
});

it('hosts keep their last shape while all of them have few characters, and all are dropped beyond that', () => {
  // Each short shape has 31 characters: host, name, the key with both, and the label.
  const shapes = new PartShapes(100);
  const first = shapes.of('a', lists('sda'));
  expect(shapes.of('a', lists('sda'))).toBe(first);
  shapes.of('b', lists('sdb'));
  expect(shapes.of('a', lists('sda'))).toBe(first);
  shapes.of('c', lists('sdc'.repeat(20)));
  const again = shapes.of('a', lists('sda'));
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
