import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('readOptions reads all options, and draws a seed if none is given', () => {
  expect(readOptions(['--case', '2,5c', '--seed', '7', '--layout', 'log', '--short'], 1)).toEqual({
    cases: ['2', '5c'],
    seed: 7,
    sampleLayout: 'log',
    short: true,
    report: null,
    keep: false,
    help: false,
  });
  expect(readOptions([], 12)).toMatchObject({ cases: null, seed: 12, short: false });
});

test.each([[['--seed', 'x']], [['--cases', '2']], [['--seed', '-1']], [['--layout', 'columns']]])(
  'refuses %j',
  (args) => {
    expect(() => readOptions(args, 1)).toThrow(ConfigError);
  },
);
