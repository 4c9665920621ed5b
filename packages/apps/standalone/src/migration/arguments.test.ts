import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';

test('the migration does not change the number of partitions unless one is given', () => {
  expect(readArguments([])).toEqual({ partitions: null });
  expect(readArguments(['--partitions', '48'])).toEqual({ partitions: 48 });
});

test.each([
  [['--partitions', '0'], 'a whole number from 1 to 1000, not "0"'],
  [['--partitions', 'many'], 'not "many"'],
  [['--partition', '3'], "Unknown option '--partition'"],
])('%j is refused', (args, sentence) => {
  expect(() => readArguments(args)).toThrow(ConfigError);
  expect(() => readArguments(args)).toThrow(sentence);
});
