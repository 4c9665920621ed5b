import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern, compilePatterns } from './pattern.ts';

test.each([
  ['web-01', 'web-01', true],
  ['web-01', 'web-012', false],
  ['*', '', true],
  ['*', 'anything', true],
  ['web-*', 'web-', true],
  ['*-01', 'web-01', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['a**b', 'ab', true],
  ['a.c', 'abc', false],
  ['[a]*', '[a]1', true],
  ['*ab*ab', 'ab', false],
])('%s on %s: %s', (pattern, text, wanted) => {
  expect(compilePattern(pattern)(text)).toBe(wanted);
});

test('a compiled pattern matches the same texts as trying every split of the text', () => {
  const naive = (pattern: string, text: string): boolean => {
    if (pattern === '') return text === '';
    if (pattern[0] !== '*')
      return text[0] === pattern[0] && text !== '' && naive(pattern.slice(1), text.slice(1));
    return Array.from({ length: text.length + 1 }, (_, index) => index).some((index) =>
      naive(pattern.slice(1), text.slice(index)),
    );
  };
  const word = (letters: string) =>
    fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      word('ab*'),
      word('ab'),
      (pattern, text) => compilePattern(pattern)(text) === naive(pattern, text),
    ),
    { numRuns: 3_000 },
  );
});

test('a pattern with many stars is matched fast', () => {
  expect(compilePattern(`${'a*'.repeat(100)}b`)('a'.repeat(255))).toBe(false);
});

test('a list of patterns matches if one of them does', () => {
  const matches = compilePatterns(['web-01', 'db-*']);
  expect(['web-01', 'db-7', 'web-02'].map(matches)).toEqual([true, true, false]);
});
