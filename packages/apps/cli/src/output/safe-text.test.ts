import { describe, expect, it } from 'vitest';
import { safeJson, safeText } from './safe-text.ts';

describe('safeText', () => {
  it.each([
    ['web-01', 'web-01'],
    ['日本 ü 👩‍💻', '日本 ü 👩‍💻'],
    ['\u001b[31mred', '\\u001b[31mred'],
    ['\u009b31m', '\\u009b31m'],
    ['a\r\nb\tc\u0000', 'a\\u000d\\u000ab\\u0009c\\u0000'],
    ['safe\u202egnp.exe', 'safe\\u202egnp.exe'],
    ['\ud83d', '\\ud83d'],
    ['\ude00x', '\\ude00x'],
  ])('prints %j as %s', (text, shown) => {
    expect(safeText(text)).toBe(shown);
  });
});

it('safeJson writes JSON of the same value without control characters', () => {
  const value = { host: '\u001b[2J\u009b\u202e', list: [1, null] };
  for (const indent of [undefined, 2]) {
    const text = safeJson(value, indent);
    expect(JSON.parse(text)).toEqual(value);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test asserts their absence
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
  }
});
