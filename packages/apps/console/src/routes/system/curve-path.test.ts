import { describe, expect, it } from 'vitest';
import { curvePath } from './curve-path.ts';

const RANGE = { from: 0, to: 120, stepMs: 10 };

describe('the path of a curve', () => {
  it.each([
    { title: 'is empty without points', points: [], path: '' },
    { title: 'shows a point alone as a dot', points: [{ t: 60, value: 5 }], path: 'M60.0 2.0h.01' },
    {
      title: 'goes from the bottom for zero to the top for the highest value, at the times of the points',
      points: [
        { t: 0, value: 0 },
        { t: 10, value: 8 },
        { t: 20, value: 4 },
      ],
      path: 'M0.0 26.0L10.0 2.0L20.0 14.0',
    },
    {
      title: 'leaves out what lies between points that are further apart than two steps',
      points: [
        { t: 0, value: 1 },
        { t: 10, value: 1 },
        { t: 40, value: 1 },
      ],
      path: 'M0.0 2.0L10.0 2.0M40.0 2.0h.01',
    },
    {
      title: 'lies at the bottom while every value is zero',
      points: [
        { t: 0, value: 0 },
        { t: 20, value: 0 },
      ],
      path: 'M0.0 26.0L20.0 26.0',
    },
  ])('$title', ({ points, path }) => {
    expect(curvePath(points, RANGE)).toBe(path);
  });
});
