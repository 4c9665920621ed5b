import { expect, test } from 'vitest';
import { MAX_DEPTH, structureOf } from './nesting.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each<[string, string, 'json' | 'ndjson', boolean]>([
  ['as deep as is allowed', lists(MAX_DEPTH), 'json', false],
  ['one deeper', lists(MAX_DEPTH + 1), 'json', true],
  ['without an end', '['.repeat(MAX_DEPTH + 1), 'json', true],
  ['lists and objects in turn', '[{"a":'.repeat(MAX_DEPTH / 2 + 1), 'json', true],
  ['one after the other', '[],'.repeat(MAX_DEPTH + 1), 'json', false],
  ['brackets in a text', `["${'['.repeat(MAX_DEPTH + 1)}"]`, 'json', false],
  ['brackets behind an escaped quote', `["\\"${'['.repeat(MAX_DEPTH + 1)}"]`, 'json', false],
  ['brackets behind an escaped backslash', `["\\\\",${'['.repeat(MAX_DEPTH + 1)}]`, 'json', true],
  [
    'each line by itself',
    `${'['.repeat(MAX_DEPTH / 2 + 1)}\n${'['.repeat(MAX_DEPTH / 2 + 1)}`,
    'ndjson',
    false,
  ],
  ['lines of one text', `${'['.repeat(MAX_DEPTH / 2 + 1)}\n${'['.repeat(MAX_DEPTH / 2 + 1)}`, 'json', true],
  ['a text that a line leaves open', `"a\n${'['.repeat(MAX_DEPTH + 1)}`, 'ndjson', true],
])('%s', (_, text, form, wanted) => {
  expect(structureOf(Buffer.from(text), form).isTooDeep).toBe(wanted);
});
