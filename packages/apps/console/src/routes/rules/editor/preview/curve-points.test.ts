import { expect, it } from 'vitest';
import { nearestPoint, pointAfterKey } from './curve-points.ts';

const POINTS = [{ threshold: 60 }, { threshold: 70 }, { threshold: 90 }];

it.each([
  ['itself', 70, 1],
  ['the nearer neighbour', 81, 2],
  ['the first of equal ones', 80, 1],
  ['the first below all', 3, 0],
  ['the last above all', 300, 2],
])('finds %s', (_name, value, place) => {
  expect(nearestPoint(POINTS, value)).toBe(place);
});

it.each([
  ['ArrowRight', 0, 1],
  ['ArrowUp', 2, 2],
  ['ArrowLeft', 1, 0],
  ['ArrowDown', 0, 0],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['x', 1, undefined],
])('%s leads from %i to %s', (key, place, next) => {
  expect(pointAfterKey(key, place, POINTS.length)).toBe(next);
});
