import { expect, it } from 'vitest';
import { lengthFaults } from './file-length.ts';

it('accepts a source of 300 lines and refuses one of 301', () => {
  const lines = new Map([
    ['a.ts', 300],
    ['b.ts', 301],
  ]);
  expect(lengthFaults(lines)).toEqual([expect.stringContaining('b.ts: has 301 lines')]);
});
