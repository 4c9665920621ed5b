import { expect, it } from 'vitest';
import { minWidthOf } from './track-width.ts';

it.each([
  ['no column', [], 24],
  ['a fixed column', ['80px'], 104],
  ['a column that grows from its minimum', ['minmax(120px, 3fr)'], 144],
  ['a column without a minimum', ['2fr'], 24],
  ['several columns with the gaps between them', ['24px', 'minmax(200px, 1fr)', '76px'], 348],
])('computes the width that %s needs', (_, tracks, width) => {
  expect(minWidthOf(tracks)).toBe(width);
});
