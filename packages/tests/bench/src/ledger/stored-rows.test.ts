import type { Samples } from '@tidewatch/store/series/series-columns';
import { expect, test } from 'vitest';
import { joinSlots } from './stored-rows.ts';

const samples = (...points: [time: number, value: number][]): Samples => ({
  times: Float64Array.from(points, ([time]) => time),
  values: Float64Array.from(points, ([, value]) => value),
});

test('joinSlots makes a row of each time, in order, with null where a slot has no value', () => {
  expect([...joinSlots([samples([10, 1], [30, 3]), samples(), samples([10, 7], [20, 8])])]).toEqual([
    { time: 10, values: [1, null, 7] },
    { time: 20, values: [null, null, 8] },
    { time: 30, values: [3, null, null] },
  ]);
});

test('joinSlots returns a time that is stored twice as two rows', () => {
  expect([...joinSlots([samples([10, 1], [10, 2]), samples([10, 7])])]).toEqual([
    { time: 10, values: [1, 7] },
    { time: 10, values: [2, null] },
  ]);
});
