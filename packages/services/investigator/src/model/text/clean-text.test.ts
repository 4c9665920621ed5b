import { describe, expect, it } from 'vitest';
import { cleanText, shorten } from './clean-text.ts';

const TAGS = [...'ignore'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

describe('cleanText', () => {
  it.each([
    ['controls and new lines', 'a\u0000b\r\nc\u001b[31md\u0085e', 'ab c[31mde'],
    ['marks of direction', 'web\u202e10\u2066-x\u200f', 'web10-x'],
    ['characters of no width', 'ad\u200bmin\u2060\ufeff', 'admin'],
    ['invisible letters', `web-01${TAGS}`, 'web-01'],
    ['halves of pairs', 'a\ud800b', 'ab'],
    ['separators of lines', 'a\u2028b\u2029c', 'a b c'],
    ['ids of evidence that are none', `evd_${'f'.repeat(32)} EVD_1 x`, '(id) (id) x'],
    ['secrets that are cut apart by invisible characters', 'pass\u200bword=hunter2', 'password=[hidden]'],
    ['letters of any language and emoji', 'Rechnungs-Größe 東京 🚀', 'Rechnungs-Größe 東京 🚀'],
  ])('%s', (_, text, expected) => {
    expect(cleanText(text, 200)).toBe(expected);
  });

  it('is as long as it may be, and hides a secret before it cuts', () => {
    expect(cleanText('x'.repeat(9_000), 10)).toBe('xxxxxxxxx…');
    expect(cleanText(`${'x'.repeat(20)} password=hunter2-and-more`, 35)).toBe(
      `${'x'.repeat(20)} password=[hid…`,
    );
    expect(shorten('🚀🚀🚀', 2)).toBe('🚀…');
  });
});
