import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { PARTS } from './parts.ts';

test('readOptions runs every part without arguments', () => {
  expect(readOptions([])).toMatchObject({
    only: [],
    seeds: 4,
    firstSeed: 1,
    renamings: 20,
    thorough: false,
    fit: false,
  });
});

test('readOptions has a flag for each part, which runs only that part', () => {
  for (const { key } of PARTS) expect(readOptions([`--${key}`]).only).toEqual([key]);
});

test.each([['--renamings', '0'], ['--seeds', 'many'], ['--first-seed', '0'], ['--unknown'], ['--data']])(
  'readOptions refuses %s %s',
  (...args) => {
    expect(() => readOptions(args)).toThrow(ConfigError);
  },
);
