import { expect, test } from 'vitest';
import { Places } from './places.ts';

const boundsOf = (places: Places) =>
  Array.from({ length: places.count }, (_, index) => [places.start(index), places.end(index)]);

test('places are kept in order, and none is left after clear', () => {
  const places = new Places();
  places.add(1, 5);
  places.add(5, 9);
  expect(boundsOf(places)).toEqual([
    [1, 5],
    [5, 9],
  ]);
  places.clear();
  expect([places.count, places.start(0), places.end(0)]).toEqual([0, 0, 0]);
  places.add(7, 8);
  expect(boundsOf(places)).toEqual([[7, 8]]);
});

test('join makes the last place longer only where that ends at the start of the other', () => {
  const places = new Places();
  places.join(0, 5);
  places.join(5, 9);
  places.join(10, 12);
  expect(boundsOf(places)).toEqual([
    [0, 9],
    [10, 12],
  ]);
  places.clear();
  places.join(9, 11);
  expect(boundsOf(places)).toEqual([[9, 11]]);
});
