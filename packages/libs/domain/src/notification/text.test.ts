import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cut, oneLine } from './text.ts';

it('oneLine removes control characters, bidirectional marks and unpaired surrogates', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = oneLine(text);
      expect(line).not.toMatch(/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      expect(line.isWellFormed()).toBe(true);
    }),
  );
});

it('cut keeps a text within its limit and splits no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-composite' }), fc.integer({ min: 2, max: 20 }), (text, most) => {
      const shorter = cut(text, most);
      expect(shorter.length).toBeLessThanOrEqual(most);
      expect(shorter.isWellFormed()).toBe(true);
      if (text.length <= most) expect(shorter).toBe(text);
    }),
  );
});
