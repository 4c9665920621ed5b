import { describe, expect, it } from 'vitest';
import { plainWords } from './plain-words.ts';

describe('plainWords', () => {
  it.each([
    [
      'removes an image',
      'see ![proof](https://evil.example/a.png?d=1) now',
      'see (proof)((address removed) now',
    ],
    ['removes a link', '[click](javascript:alert(1)) here', '(click)((address removed) here'],
    ['removes a link by reference', '[a]: https://evil.example "t"', '(a): (address removed) "t"'],
    [
      'removes an address without a link',
      'go to http://evil.example/x or www.evil.example',
      'go to (address removed) or (address removed)',
    ],
    ['replaces the @ of a mail address', 'ask root@evil.example', 'ask root(at)evil.example'],
    [
      'replaces the brackets of HTML',
      '<img src=x onerror=alert(1)> <b>b</b>',
      '‹img src=x onerror=alert(1)› ‹b›b‹/b›',
    ],
    ['replaces the marks of code and tables', '`rm -rf` | a \\| b', "'rm -rf' ' a '' b"],
    ['removes the marks of headings and emphasis', '## *very* **bad** __news__', 'very bad news'],
    ['removes the mark of a list', '- 1. one', '1. one'],
    ['joins lines', 'one\n\n# two\u202e', 'one # two'],
    ['breaks HTML entities', 'http&#58;//evil.example', 'http and #58;//evil.example'],
    ['hides a secret', 'it ran with password=hunter2', 'it ran with password=(hidden)'],
    [
      'keeps words with numbers',
      'cpu_percent of web-01 rose from 22.5 % to 96 %, at 14:31 UTC.',
      'cpu_percent of web-01 rose from 22.5 % to 96 %, at 14:31 UTC.',
    ],
  ])('%s', (_, text, expected) => {
    expect(plainWords(text)).toBe(expected);
  });
});
