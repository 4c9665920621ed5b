import { expect, test } from 'vitest';
import { OptionError, readOptions } from './options.ts';
import { PARTS } from './parts.ts';

test('without arguments every part is run', () => {
  expect(readOptions([])).toMatchObject({
    only: [],
    seeds: 4,
    firstSeed: 1,
    renamings: 20,
    thorough: false,
    fit: false,
  });
});

test('every part has a flag that asks for it alone', () => {
  for (const { key } of PARTS) expect(readOptions([`--${key}`]).only).toEqual([key]);
});

test.each([['--renamings', '0'], ['--seeds', 'many'], ['--first-seed', '0'], ['--unknown'], ['--data']])(
  '%s %s is refused',
  (...args) => {
    expect(() => readOptions(args)).toThrow(OptionError);
  },
);
