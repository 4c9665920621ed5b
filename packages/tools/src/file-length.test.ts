import { expect, it } from 'vitest';
import { lengthFaults } from './file-length.ts';

it('accepts sources of up to 300 lines, and longer ones that are listed', () => {
  const lines = new Map([
    ['a.ts', 300],
    ['old.ts', 400],
  ]);
  expect(lengthFaults(lines, ['old.ts'])).toEqual([]);
});

it('refuses a longer source that is not listed', () => {
  expect(lengthFaults(new Map([['a.ts', 301]]), [])).toEqual([
    expect.stringContaining('a.ts: has 301 lines'),
  ]);
});

it('requires a listed source to leave the list once it is short enough or gone', () => {
  const faults = lengthFaults(new Map([['old.ts', 300]]), ['old.ts', 'gone.ts']);
  expect(faults).toEqual([expect.stringContaining('old.ts off'), expect.stringContaining('gone.ts off')]);
});
