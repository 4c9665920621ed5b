import { expect, it } from 'vitest';
import { TextCache } from './text-cache.ts';

it('the text cache returns the text at a position, also with more texts than it caches', () => {
  const cache = new TextCache();
  const words = Array.from({ length: 60_000 }, (_, index) => `host-${index}`);
  for (let round = 0; round < 2; round += 1)
    for (const word of words) expect(cache.text(Buffer.from(`"${word}"`), 1, word.length + 1)).toBe(word);
});

it('the text cache returns the empty text, and distinguishes texts of which one is a prefix of the other', () => {
  const cache = new TextCache();
  const bytes = Buffer.from('web-01');
  expect([
    cache.text(bytes, 0, 0),
    cache.text(bytes, 0, 3),
    cache.text(bytes, 0, 6),
    cache.text(bytes, 4, 6),
  ]).toEqual(['', 'web', 'web-01', '01']);
});
