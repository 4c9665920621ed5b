import { describe, expect, it } from 'vitest';
import { collect, parseAssignment, parseCount, parseDuration, parseNumbers, readTime } from './arguments.ts';

describe('an argument of the CLI', () => {
  it.each([
    ['90s', 90_000],
    ['1d12h', 129_600_000],
    ['2w', 1_209_600_000],
  ])('may be the duration %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', 'h', '1.5h', '-1h', '1h '])('is rejected as a duration when it is %j', (text) => {
    expect(() => parseDuration(text)).toThrow(/duration/);
  });

  it('may be a time, or a duration before or after now', () => {
    const now = Date.parse('2026-11-22T08:00:00Z');
    expect(readTime('1h', now, 'past')).toBe('2026-11-22T07:00:00.000Z');
    expect(readTime('30m', now, 'future')).toBe('2026-11-22T08:30:00.000Z');
    expect(readTime('2026-11-22T10:00:00+02:00', now, 'past')).toBe('2026-11-22T10:00:00+02:00');
  });

  it('of the form NAME=VALUE is divided at the first = or : that is not escaped', () => {
    expect(parseAssignment('region=eu-1')).toEqual(['region', 'eu-1']);
    expect(parseAssignment('url:http://a=b')).toEqual(['url', 'http://a=b']);
    expect(parseAssignment('aws\\:team=a=b')).toEqual(['aws:team', 'a=b']);
    for (const text of ['region', '=eu', '']) expect(() => parseAssignment(text)).toThrow(/NAME=VALUE/);
  });

  it('that is repeated is collected into a list', () => {
    expect(collect(parseAssignment)('b=2', [['a', '1']])).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });

  it('may be a page size from 1 to 100 or a list of finite numbers', () => {
    expect(parseCount('100')).toBe(100);
    for (const text of ['0', '101', '1.5', 'many', '']) expect(() => parseCount(text)).toThrow(/Expected/);
    expect(parseNumbers('80, 90.5')).toEqual([80, 90.5]);
    for (const text of ['80,', 'a', 'Infinity']) expect(() => parseNumbers(text)).toThrow(/number/);
  });
});
