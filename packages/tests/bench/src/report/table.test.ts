import { expect, test } from 'vitest';
import { mebibytes, number, table } from './table.ts';

test('the columns of a table are as wide as their widest cell', () => {
  expect(
    table(
      ['figure', 'value'],
      [
        ['a', '1'],
        ['longer than', '22,222'],
      ],
    ),
  ).toBe(
    [
      '| figure      | value  |',
      '|-------------|--------|',
      '| a           | 1      |',
      '| longer than | 22,222 |',
    ].join('\n'),
  );
});

test('numbers', () => {
  expect(number(1234.567, 1)).toBe('1,234.6');
  expect(mebibytes(3 * 1_048_576)).toBe('3');
});
