import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytes, quantity, stretch } from '../alerting/quantity.ts';
import { cut, oneLine } from './text.ts';

it('a line has no controls, no turned text and no half characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = oneLine(text);
      expect(line).not.toMatch(/\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      expect(line.isWellFormed()).toBe(true);
    }),
  );
});

it('a cut text is within its limit and splits no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-composite' }), fc.integer({ min: 2, max: 20 }), (text, most) => {
      const shorter = cut(text, most);
      expect(shorter.length).toBeLessThanOrEqual(most);
      expect(shorter.isWellFormed()).toBe(true);
      if (text.length <= most) expect(shorter).toBe(text);
    }),
  );
});

it.each([
  ['cpu_percent', 95.5, '95.5 %'],
  ['disk_read_bytes', 1_536, '1.5 KiB'],
  ['latency_ms', 12, '12 ms'],
  ['load', 2.000001234, '2'],
  ['requests_total', 7, '7'],
  ['cpu_percent', null, 'no data'],
])('%s of %j is %s', (metric, value, text) => {
  expect(quantity(metric, value)).toBe(text);
});

it.each([
  [0, '0 seconds'],
  [-5, '0 seconds'],
  [999, '0 seconds'],
  [61_000, '1 minute 1 second'],
  [300_000, '5 minutes'],
  [3_605_000, '1 hour'],
  [90_000_000, '1 day 1 hour'],
])('%d ms are %s', (ms, text) => {
  expect(stretch(ms)).toBe(text);
});

it('memory beyond every name stays a number', () => {
  expect(bytes(2 ** 60)).toBe('1024 PiB');
  expect(bytes(-2_048)).toBe('-2 KiB');
});
