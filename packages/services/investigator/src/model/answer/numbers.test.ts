import { describe, expect, it } from 'vitest';
import { CPU, exampleCase, PEERS, STRESS } from '../testing/example-case.ts';
import { unsupportedNumber } from './numbers.ts';

const of = exampleCase({ host: 'web-2177', findings: exampleCase().findings });

function check(words: string, ...ids: string[]): string | null {
  return unsupportedNumber(
    words,
    of,
    of.evidence.filter(({ id }) => ids.includes(id)),
  );
}

describe('unsupportedNumber', () => {
  it.each([
    ['a measured number', 'It rose from 22 to 96.', CPU],
    ['a rounded number', 'It is about 95.5 and was 22.2.', CPU],
    ['a number of the alert', 'It is above 90, at 93.5.', STRESS],
    ['a difference', 'It rose by 74 points.', CPU],
    ['a ratio', 'It is 4.4 times as high.', CPU],
    ['a change in percent', 'It rose by 336 %.', CPU],
    ['a number of the finding', 'At most 99.5, of 1,440 samples.', CPU],
    ['the probability of the finding', 'It is 93 % sure.', STRESS],
    ['a number in another unit', 'It holds 3 GiB, or 3.2 GB, or 3221 MB.', STRESS],
    ['a time', 'It began at 14:31 UTC, on 2026-11-21, at 2026-11-21T14:31:00Z, 2:31 pm.', CPU],
    ['a duration', 'For 10 minutes, of a window of 41 min.', CPU],
    ['a count', 'Two of 12 peers, 3 hosts, none of 7.', PEERS],
    ['digits of a name', 'On web-2177 and web-01 the process.', CPU],
    ['a name with a number', 'p99 of http2 and load_15', CPU],
    ['a sentence without numbers', 'It rose.', CPU],
  ])('accepts %s', (_, words, id) => {
    expect(check(words, id)).toBeNull();
  });

  it.each([
    ['a value that the evidence does not contain', 'It rose to 61.', CPU, '61'],
    ['a value of evidence that is not cited', 'It holds 45 percent.', PEERS, '45 percent'],
    ['a fraction that the evidence does not contain', 'It rose by 12.75.', CPU, '12.75'],
    ['a number with a thousands separator', 'It has 48,200 connections.', CPU, '48,200 connections'],
    ['a clock time outside of the evidence', 'It began at 09:12.', CPU, '09:12'],
    ['a date outside of the evidence', 'It began on 2026-10-01.', CPU, '2026-10-01'],
    [
      'a date and time outside of the evidence',
      'It began at 2026-11-21T18:00:00Z.',
      CPU,
      '2026-11-21T18:00:00Z',
    ],
    ['a number in a wrong unit', 'It holds 3000 GB.', STRESS, '3000 GB'],
  ])('rejects %s', (_, words, id, found) => {
    expect(check(words, id)).toBe(found);
  });
});
