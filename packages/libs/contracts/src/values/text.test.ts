import { describe, expect, it } from 'vitest';
import { textFault, textSchema } from './text.ts';

const FLAME = '\u{1f525}';

describe('textFault', () => {
  it.each([
    ['plain', 'web-01'],
    ['as long as it may be', 'x'.repeat(8)],
    ['beyond the basic plane a code point counts once', FLAME.repeat(8)],
    ['a mixture at the bound', `${FLAME.repeat(7)}x`],
  ])('takes %s', (_name, text) => {
    expect(textFault(text, 1, 8)).toBeUndefined();
  });

  it.each([
    ['empty', '', 'too_short'],
    ['too long', 'x'.repeat(9), 'too_long'],
    ['too long beyond the basic plane', FLAME.repeat(9), 'too_long'],
    ['with NUL', 'a\0b', 'nul_character'],
    ['with a high surrogate alone', 'a\ud800b', 'lone_surrogate'],
    ['with a low surrogate alone', 'a\udc00', 'lone_surrogate'],
  ])('refuses a text that is %s', (_name, text, code) => {
    expect(textFault(text, 1, 8)?.code).toBe(code);
  });
});

it('textSchema accepts an empty text where the minimum length is 0', () => {
  expect(textSchema(0, 8).safeParse('').success).toBe(true);
  expect(textSchema(1, 8).safeParse('').success).toBe(false);
});
