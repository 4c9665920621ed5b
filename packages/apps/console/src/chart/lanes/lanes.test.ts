import { expect, it } from 'vitest';
import { type LaneEntry, laneButtons, spanOf } from './lanes.ts';

const entry = (id: string, from: number, to = from): LaneEntry => ({
  id,
  kind: 'markers',
  name: id,
  from,
  to,
});
const RANGE = { from: 0, to: 100 };

function shown(...entries: LaneEntry[]) {
  return laneButtons(entries, RANGE, 0.1).map(({ left, right, entries: all }) => [
    all.map(({ id }) => id).join('+'),
    Math.round(left * 100),
    Math.round(right * 100),
  ]);
}

it.each([
  ['centres a moment', [entry('a', 50)], [['a', 45, 55]]],
  ['keeps a moment at the end within the plot', [entry('a', 100)], [['a', 90, 100]]],
  ['draws a span from start to end', [entry('a', 20, 60)], [['a', 20, 60]]],
  ['widens a short span', [entry('a', 20, 21)], [['a', 20, 30]]],
  ['cuts what began before', [entry('a', -50, 40)], [['a', 0, 40]]],
  ['leaves out what ended before and what begins after', [entry('a', -50, -1), entry('b', 101)], []],
  ['joins moments that lie close', [entry('b', 54), entry('a', 50)], [['a+b', 45, 59]]],
  [
    'ends a span where the next one begins',
    [entry('a', 10, 80), entry('b', 50, 60)],
    [
      ['a', 10, 50],
      ['b', 50, 60],
    ],
  ],
] as const)('%s', (_name, entries, buttons) => {
  expect(shown(...entries)).toEqual(buttons);
});

it('spans all entries of a button', () => {
  expect(spanOf({ left: 0, right: 1, entries: [entry('a', 10, 80), entry('b', 20)] })).toEqual({
    from: 10,
    to: 80,
  });
});
