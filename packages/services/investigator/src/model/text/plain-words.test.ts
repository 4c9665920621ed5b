import { describe, expect, it } from 'vitest';
import { plainWords } from './plain-words.ts';

describe('plainWords', () => {
  it.each([
    ['an image', 'see ![proof](https://evil.example/a.png?d=1) now', 'see (proof)((address removed) now'],
    ['a link', '[click](javascript:alert(1)) here', '(click)((address removed) here'],
    ['a link by reference', '[a]: https://evil.example "t"', '(a): (address removed) "t"'],
    [
      'an address alone',
      'go to http://evil.example/x or www.evil.example',
      'go to (address removed) or (address removed)',
    ],
    ['an address of mail', 'ask root@evil.example', 'ask root(at)evil.example'],
    ['HTML', '<img src=x onerror=alert(1)> <b>b</b>', '‹img src=x onerror=alert(1)› ‹b›b‹/b›'],
    ['code and tables', '`rm -rf` | a \\| b', "'rm -rf' ' a '' b"],
    ['a heading and emphasis', '## *very* **bad** __news__', 'very bad news'],
    ['a list', '- 1. one', '1. one'],
    ['lines', 'one\n\n# two\u202e', 'one # two'],
    ['entities', 'http&#58;//evil.example', 'http and #58;//evil.example'],
    ['a secret', 'it ran with password=hunter2', 'it ran with password=(hidden)'],
    [
      'words with numbers',
      'cpu_percent of web-01 rose from 22.5 % to 96 %, at 14:31 UTC.',
      'cpu_percent of web-01 rose from 22.5 % to 96 %, at 14:31 UTC.',
    ],
  ])('%s', (_, text, expected) => {
    expect(plainWords(text)).toBe(expected);
  });
});
