import { expect, it } from 'vitest';
import { PartShapes } from './part-shapes.ts';

const lists = (name: string, model = 'a') => ({
  kinds: ['disk'],
  names: [name],
  labels: [{ model }],
  metrics: ['busy_percent'],
  ends: [1],
});

it('hosts with the same parts share their lists, each with its own labels', () => {
  const shapes = new PartShapes();
  const first = shapes.of('a', lists('sda', 'one'));
  const second = shapes.of('b', lists('sda', 'two'));
  expect(second.keys).toBe(first.keys);
  expect(second.names).toBe(first.names);
  expect(second).toEqual({ ...lists('sda', 'two'), keys: ['disk:sda\0busy_percent'] });
  expect(shapes.of('b', lists('sda', 'two'))).toBe(second);
  const relabelled = shapes.of('b', lists('sda', 'three'));
  expect(relabelled.keys).toBe(first.keys);
  expect(relabelled.labels).toEqual([{ model: 'three' }]);
  expect(shapes.of('c', lists('sdb')).keys).toEqual(['disk:sdb\0busy_percent']);
});

it('different parts with the same hash are not shared', () => {
  // Names and metrics have the same hash where only the border between them moves.
  const shapes = new PartShapes();
  const of = (host: string, name: string, metric: string) =>
    shapes.of(host, { ...lists(name), metrics: [metric] });
  const one = of('a', 'sda', 'busy');
  const other = of('b', 'sdab', 'usy');
  expect(other.keys).toEqual(['disk:sdab\0usy']);
  expect(of('a', 'sda', 'busy')).toBe(one);
  expect(of('b', 'sdab', 'usy')).toBe(other);
  expect(of('a', 'sdab', 'usy').keys).toEqual(other.keys);
  expect(of('b', 'sda', 'busy').keys).toEqual(one.keys);
});

it('lists that differ only in where one ends and the next begins are not shared', () => {
  const shapes = new PartShapes();
  const of = (kinds: string[], names: string[], ends: number[]) =>
    shapes.of('a', { kinds, names, labels: kinds.map(() => null), metrics: ['x', 'y'], ends });
  expect(of(['disk', 'disk'], ['a', 'b'], [1, 2]).keys).toEqual(['disk:a\0x', 'disk:b\0y']);
  expect(of(['disk', 'disk'], ['a', 'b'], [2, 2]).keys).toEqual(['disk:a\0x', 'disk:a\0y']);
  expect(of(['disk'], ['a'], [2]).keys).toEqual(['disk:a\0x', 'disk:a\0y']);
});

it('hosts keep their shapes when there is no room for more, until many found none', () => {
  // A shape of `sda` takes 71 characters, and one with a longer name more.
  const shapes = new PartShapes(200, 3);
  const first = shapes.of('a', lists('sda'));
  shapes.of('b', lists('sdb'));
  const large = lists('sdc'.repeat(60));
  expect(shapes.of('c', large)).not.toBe(shapes.of('c', large));
  expect(shapes.of('a', lists('sda'))).toBe(first);
  const kept = shapes.of('d', lists('sdd'.repeat(10)));
  expect(shapes.of('d', lists('sdd'.repeat(10)))).toBe(kept);
  const again = shapes.of('a', lists('sda'));
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});

it('the room of a shape is free again once its host sends another one', () => {
  const shapes = new PartShapes(200, 1_000);
  for (let round = 0; round < 20; round += 1) {
    const shape = shapes.of('a', lists(`sda${round}`));
    expect(shapes.of('a', lists(`sda${round}`))).toBe(shape);
  }
  const [one, other] = [shapes.of('b', lists('sda19')), shapes.of('a', lists('sda20'))];
  expect(shapes.of('b', lists('sda19'))).toBe(one);
  expect(shapes.of('a', lists('sda20'))).toBe(other);
});
