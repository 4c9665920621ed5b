import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePatterns } from './pattern.ts';
import { patternsCover } from './pattern-cover.ts';

describe('patternsCover', () => {
  it.each<[string[], string[], boolean]>([
    [['web-*'], ['web-1*'], true],
    [['web-*'], ['web-1'], true],
    [['web-*'], ['web-*'], true],
    [['web-*'], ['web-**'], true],
    [['web-*'], ['w*'], false],
    [['web-*'], ['*'], false],
    [['web-*'], ['Web-1'], false],
    [['*'], ['anything*at*all'], true],
    [['a*c'], ['a*b*c'], true],
    [['a*b*c'], ['a*c'], false],
    [['*-eu', 'db-*'], ['db-1', 'x-eu'], true],
    [['*-eu', 'db-*'], ['db-1', 'x-us'], false],
    [['ab*ba'], ['aba'], false],
    [['web-1'], ['web-*'], false],
    [['*\ue000'], ['*'], false],
  ])('%j covers %j: %s', (outer, inner, expected) => expect(patternsCover(outer, inner)).toBe(expected));

  it('is true only if every text that matches the inner patterns matches the outer ones', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), minLength: 1, maxLength: 5 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 3 }),
        pattern,
        fc.array(text),
        (outer, inner, fills) => {
          let next = 0;
          const sample = inner.replaceAll('*', () => fills[next++] ?? '');
          if (patternsCover(outer, [inner])) expect(compilePatterns(outer)(sample)).toBe(true);
          else expect(compilePatterns(outer)(inner.replaceAll('*', 'c'))).toBe(false);
        },
      ),
    );
  });
});
