import { createRandom } from '@tidewatch/harness/seeded-random';
import { expect, it } from 'vitest';
import { SeriesNumbers } from './series-numbers.ts';
import { SeriesTable } from './series-table.ts';

function open() {
  const evicted: number[] = [];
  const total = { series: 0 };
  const numbers = new SeriesNumbers();
  const table = new SeriesTable(numbers, total, (series) => {
    evicted.push(series);
    numbers.release(series);
  });
  function add(high: number, low: number): number {
    const series = numbers.take(high, low);
    table.add(series);
    return series;
  }
  return { table, total, evicted, add };
}

it('finds series of which only half of the hash is the same apart', () => {
  const { table, total, add } = open();
  const [a, b] = [add(1, 10), add(1, 11)];
  expect([table.find(1, 10), table.find(1, 11), table.find(1, 12)]).toEqual([a, b, undefined]);
  expect([table.size, total.series]).toEqual([2, 2]);
});

it('drops what was not found since the last but one turn, and keeps the others', () => {
  const { table, total, evicted, add } = open();
  const [first, second, third] = [1, 2, 3].map((low) => add(7, low));
  expect(table.turn()).toBe(0);
  expect(table.find(7, 2)).toBe(second);
  expect(table.turn()).toBe(2);
  expect(evicted.toSorted()).toEqual([first, third]);
  expect([table.find(7, 1), table.find(7, 2), table.size, total.series]).toEqual([undefined, second, 1, 1]);
});

it('gives the number of a dropped series to the next one', () => {
  const { table, add } = open();
  const series = add(1, 1);
  table.turn();
  table.turn();
  expect(add(2, 2)).toBe(series);
  expect([table.find(1, 1), table.find(2, 2), table.turns]).toEqual([undefined, series, 2]);
});

it('finds the same series as a map does over additions, finds and turns in any order', () => {
  const { table, add } = open();
  const random = createRandom(20_261_128);
  let [younger, older] = [new Map<string, number>(), new Map<string, number>()];
  for (let step = 0; step < 20_000; step += 1) {
    const high = (Math.floor(random() * 2 ** 32) | 0) >> 22;
    const low = Math.floor(random() * 16);
    const key = `${high} ${low}`;
    const known = younger.get(key) ?? older.get(key);
    expect(table.find(high, low)).toBe(known);
    older.delete(key);
    younger.set(key, known ?? add(high, low));
    if (random() > 0.001) continue;
    expect(table.turn()).toBe(older.size);
    [older, younger] = [younger, new Map()];
  }
  expect(table.size).toBe(younger.size + older.size);
});
