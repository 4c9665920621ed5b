import { describe, expect, it } from 'vitest';
import { cleanText, shorten } from './clean-text.ts';

const TAGS = [...'ignore'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

describe('cleanText', () => {
  it.each([
    ['removes control characters and joins lines', 'a\u0000b\r\nc\u001b[31md\u0085e', 'ab c[31mde'],
    ['removes marks of text direction', 'web\u202e10\u2066-x\u200f', 'web10-x'],
    ['removes zero-width characters', 'ad\u200bmin\u2060\ufeff', 'admin'],
    ['removes invisible letters', `web-01${TAGS}`, 'web-01'],
    ['removes unpaired surrogates', 'a\ud800b', 'ab'],
    ['replaces line separators by spaces', 'a\u2028b\u2029c', 'a b c'],
    ['replaces text that looks like an id of evidence', `evd_${'f'.repeat(32)} EVD_1 x`, '(id) (id) x'],
    ['hides a secret that invisible characters split', 'pass\u200bword=hunter2', 'password=[hidden]'],
    ['keeps letters of any language and emoji', 'Rechnungs-Größe 東京 🚀', 'Rechnungs-Größe 東京 🚀'],
  ])('%s', (_, text, expected) => {
    expect(cleanText(text, 200)).toBe(expected);
  });

  it('keeps ids that are real, and no others', () => {
    const [real, other] = ['1', '2'].map((digit) => `evd_${digit.repeat(32)}`);
    expect(cleanText(`It rose [${real}], see ${other}.`, 200, new Set([real as string]))).toBe(
      `It rose [${real}], see (id).`,
    );
  });

  it('shortens text to the limit, after it hid secrets', () => {
    expect(cleanText('x'.repeat(9_000), 10)).toBe('xxxxxxxxx…');
    expect(cleanText(`${'x'.repeat(20)} password=hunter2-and-more`, 35)).toBe(
      `${'x'.repeat(20)} password=[hid…`,
    );
    expect(shorten('🚀🚀🚀', 2)).toBe('🚀…');
  });
});
