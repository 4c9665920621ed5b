import { expect, it } from 'vitest';
import { type BlockPlace, portionsOf } from './portions.ts';

const blocks = (from: number, count: number, ...slots: number[]): BlockPlace[] =>
  Array.from({ length: count }, (_, index) => slots.map((slot) => ({ blockId: from + index, slot }))).flat();

const shapeOf = (portion: readonly BlockPlace[]) => [
  new Set(portion.map(({ blockId }) => blockId)).size,
  [...new Set(portion.map(({ slot }) => slot))].sort((a, b) => a - b),
];

it('blocks with the same slots are read together, as many as fit in memory', () => {
  const places = [...blocks(0, 700, 3), ...blocks(1_000, 200, 1, 5)];
  expect(portionsOf(places, 10).map(shapeOf)).toEqual([
    [500, [3]],
    [200, [3]],
    [200, [1, 5]],
  ]);
  expect(portionsOf(blocks(0, 300, 1, 5), 100).map(shapeOf)).toEqual([
    [250, [1, 5]],
    [50, [1, 5]],
  ]);
});

it('few blocks with other slots are read by one statement', () => {
  const places = [...blocks(0, 2, 0), ...blocks(10, 3, 0, 7), ...blocks(20, 1, 15)];
  expect(portionsOf(places, 60).map(shapeOf)).toEqual([[6, [0, 7, 15]]]);
});

it('every series is in exactly one portion, and no block is in two', () => {
  const places = Array.from({ length: 5_000 }, (_, index) => ({
    blockId: (index * 7_919) % 1_300,
    slot: (index * 31) % 16,
  }));
  const unique = [...new Map(places.map((place) => [`${place.blockId} ${place.slot}`, place])).values()];
  const portions = portionsOf(unique, 60);
  expect(new Set(portions.flat()).size).toBe(unique.length);
  const seen = portions.flatMap((portion) => [...new Set(portion.map(({ blockId }) => blockId))]);
  expect(new Set(seen).size).toBe(seen.length);
});

it('a block with more steps than fit is read alone, and nothing needs no statement', () => {
  expect(portionsOf(blocks(0, 2, 1), 60_000)).toHaveLength(2);
  expect(portionsOf([], 60)).toEqual([]);
});
