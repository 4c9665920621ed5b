import { expect, test } from 'vitest';
import { MAX_DEPTH, nestsTooDeep } from './nesting.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each<[string, string, 'json' | 'ndjson', boolean]>([
  ['as deep as is allowed', lists(MAX_DEPTH), 'json', false],
  ['one deeper', lists(MAX_DEPTH + 1), 'json', true],
  ['without an end', '['.repeat(1_000), 'json', true],
  ['lists and objects in turn', '[{"a":'.repeat(20), 'json', true],
  ['one after the other', '[],'.repeat(1_000), 'json', false],
  ['brackets in a text', `["${'['.repeat(1_000)}"]`, 'json', false],
  ['brackets behind an escaped quote', `["\\"${'['.repeat(1_000)}"]`, 'json', false],
  ['brackets behind an escaped backslash', `["\\\\",${'['.repeat(1_000)}]`, 'json', true],
  ['each line by itself', `${'['.repeat(20)}\n${'['.repeat(20)}`, 'ndjson', false],
  ['lines of one text', `${'['.repeat(20)}\n${'['.repeat(20)}`, 'json', true],
  ['a text that a line leaves open', `"a\n${'['.repeat(100)}`, 'ndjson', true],
])('%s', (_, text, form, wanted) => {
  expect(nestsTooDeep(Buffer.from(text), form)).toBe(wanted);
});
