import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assignSlots, ordinalOf, slotOf } from './slots.ts';

const names = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `m${from + index}`);

test.each<[string, taken: string[], metrics: string[], wanted: [string, number, number][]]>([
  [
    'the first metrics fill the first block',
    [],
    ['a', 'b'],
    [
      ['a', 0, 0],
      ['b', 0, 1],
    ],
  ],
  ['known metrics get nothing new', ['a', 'b'], ['b', 'a'], []],
  ['a new metric comes after the last', ['a', 'b'], ['c', 'a'], [['c', 0, 2]]],
  ['a metric named twice counts once', [], ['a', 'a'], [['a', 0, 0]]],
  ['the seventeenth begins a block', names(0, 16), ['x'], [['x', 1, 0]]],
  [
    'names of every object are names',
    [],
    ['__proto__', 'constructor'],
    [
      ['__proto__', 0, 0],
      ['constructor', 0, 1],
    ],
  ],
])('%s', (_, taken, metrics, wanted) => {
  const known = assignSlots(new Map(), taken);
  expect(
    [...assignSlots(known, metrics)].map(([metric, place]) => [metric, ordinalOf(place), slotOf(place)]),
  ).toEqual(wanted);
});

test('a released slot is not assigned again', () => {
  expect(assignSlots(new Map([['b', 20]]), ['a'])).toEqual(new Map([['a', 21]]));
});

test('the nth new metric gets the nth slot for life, for any order of payloads', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ maxLength: 2 }), { maxLength: 40 }), { maxLength: 20 }),
      (payloads) => {
        const places = new Map<string, number>();
        for (const metrics of payloads) {
          for (const [metric, place] of assignSlots(places, metrics)) {
            expect(places.has(metric)).toBe(false);
            places.set(metric, place);
          }
        }
        const order = [...new Set(payloads.flat())];
        expect([...places]).toEqual(order.map((metric, index) => [metric, index]));
      },
    ),
  );
});
