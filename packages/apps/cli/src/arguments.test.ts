import { describe, expect, it } from 'vitest';
import { collect, parseCount, parseDuration, parseNumbers, parsePair, readTime } from './arguments.ts';

describe('arguments', () => {
  it.each([
    ['90s', 90_000],
    ['1d12h', 129_600_000],
    ['2w', 1_209_600_000],
  ])('%s is a duration', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '5', 'h', '1.5h', '-1h', '1h '])('%j is none', (text) => {
    expect(() => parseDuration(text)).toThrow(/duration/);
  });

  it('reads a time, or how long before or after now', () => {
    const now = Date.parse('2026-11-22T08:00:00Z');
    expect(readTime('1h', now, 'past')).toBe('2026-11-22T07:00:00.000Z');
    expect(readTime('30m', now, 'future')).toBe('2026-11-22T08:30:00.000Z');
    expect(readTime('2026-11-22T10:00:00+02:00', now, 'past')).toBe('2026-11-22T10:00:00+02:00');
  });

  it('divides a pair at the first sign', () => {
    expect(parsePair('region=eu-1')).toEqual(['region', 'eu-1']);
    expect(parsePair('url:http://a=b')).toEqual(['url', 'http://a=b']);
    expect(parsePair('aws\\:team=a=b')).toEqual(['aws:team', 'a=b']);
    for (const text of ['region', '=eu', '']) expect(() => parsePair(text)).toThrow(/NAME=VALUE/);
  });

  it('gathers what comes again', () => {
    expect(collect(parsePair)('b=2', [['a', '1']])).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });

  it('takes counts of 1 to 100 and finite numbers', () => {
    expect(parseCount('100')).toBe(100);
    for (const text of ['0', '101', '1.5', 'many', '']) expect(() => parseCount(text)).toThrow(/Expected/);
    expect(parseNumbers('80, 90.5')).toEqual([80, 90.5]);
    for (const text of ['80,', 'a', 'Infinity']) expect(() => parseNumbers(text)).toThrow(/number/);
  });
});
