import { expect, it } from 'vitest';
import { heldRows, knownKeys, MAX_LEFT } from './held-rows.ts';

interface Row {
  id: string;
  state?: string;
}

const rows = (ids: string): Row[] => ids.split('').map((id) => ({ id }));
const names = (list: readonly Row[]) => list.map(({ id, state = '' }) => id + state).join('');

it.each([
  ['shows everything while nothing is held', 'abc', '', 'abc', 0],
  ['lets new rows on top wait', 'xyabc', 'abc', 'abc', 2],
  ['lets new rows in between wait', 'axbc', 'abc', 'abc', 1],
  ['keeps rows that left in their places', 'xac', 'abc', 'abc', 1],
  ['shows the rows of a further page', 'xabcde', 'abc', 'abcde', 1],
  ['keeps all rows where none is left', 'xy', 'abc', 'abc', 2],
])('%s', (_name, current, held, shown, waiting) => {
  const result = heldRows(rows(current), rows(held), ({ id }) => id);
  expect({ shown: names(result.shown), waiting: result.waiting }).toEqual({ shown, waiting });
});

it('shows held rows as they are now', () => {
  expect(names(heldRows([{ id: 'a', state: '!' }], rows('a'), ({ id }) => id).shown)).toBe('a!');
});

it('remembers rows that left a list up to a number, and always those that are shown', () => {
  let known = new Set(['stays']);
  for (let row = 0; row < 5 * MAX_LEFT; row += 1) {
    known = knownKeys(known, ['stays', `row ${row}`]);
    expect(known.has('stays') && known.has(`row ${row}`)).toBe(true);
    expect(known.size).toBeLessThanOrEqual(MAX_LEFT + 2);
  }
});
