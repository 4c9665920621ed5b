import { expect, it } from 'vitest';
import { heldRows, historyAfter, historyAt, knownKeys, MAX_LEFT } from './held-rows.ts';

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
  let known: ReadonlySet<string> = new Set(['stays']);
  for (let row = 0; row < 5 * MAX_LEFT; row += 1) {
    known = knownKeys(known, ['stays', `row ${row}`]);
    expect(known.has('stays') && known.has(`row ${row}`)).toBe(true);
    expect(known.size).toBeLessThanOrEqual(MAX_LEFT + 2);
  }
});

it.each([
  ['the first rows of a list are no news', '', 'ab', ''],
  ['rows above a known one are news', 'bc', 'abc', 'a'],
  ['rows between known ones are news', 'ac', 'abc', 'b'],
  ['rows of a further page are no news', 'ab', 'abcd', ''],
  ['rows that came back are no news', 'abc', 'cb', ''],
  ['rows of which none was known are no news', 'ab', 'xy', ''],
])('%s', (_name, before, shown, fresh) => {
  const history = historyAfter({ keys: new Set(before.split('')), fresh: new Map() }, shown.split(''), 10);
  expect([...history.fresh]).toEqual(fresh.split('').map((key) => [key, 10]));
  expect([...history.keys].sort().join('')).toBe([...new Set(before + shown)].sort().join(''));
});

it('news end at their time, and later ones stay', () => {
  const first = historyAfter({ keys: new Set(['c']), fresh: new Map() }, ['b', 'c'], 10);
  const second = historyAfter(first, ['a', 'b', 'c'], 20);
  expect([...historyAt(second, 9).fresh.keys()]).toEqual(['b', 'a']);
  expect([...historyAt(second, 10).fresh.keys()]).toEqual(['a']);
  expect([...historyAt(second, 20).fresh.keys()]).toEqual([]);
  expect(historyAt(second, 20).keys).toBe(second.keys);
});
