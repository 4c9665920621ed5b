import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytes, quantities, quantity, stretch } from './quantity.ts';

it.each([
  ['cpu_percent', 95.5, '95.5 %'],
  ['disk_read_bytes', 1_536, '1.5 KiB'],
  ['latency_ms', 12, '12 ms'],
  ['load', 2.000001234, '2'],
  ['requests_total', 7, '7'],
  ['cpu_percent', null, 'no data'],
  ['load', 123_456.789, '123456.8'],
  ['memory_rss', 2 ** 30 - 1, '1 GiB'],
  ['network_receive_bytes_per_second', 1_536, '1.5 KiB/s'],
  ['host.silent_minutes', 5.99, '5 minutes'],
  ['host.silent_minutes', 1, '1 minute'],
  ['host.silent_minutes', 0.25, '0.25 minutes'],
])('%s of %j is %s', (metric, value, text) => {
  expect(quantity(metric, value)).toBe(text);
});

it.each([
  [0, 'less than a second'],
  [-5, 'less than a second'],
  [999, 'less than a second'],
  [61_000, '1 minute 1 second'],
  [300_000, '5 minutes'],
  [3_605_000, '1 hour'],
  [90_000_000, '1 day 1 hour'],
])('%d ms are %s', (ms, text) => {
  expect(stretch(ms)).toBe(text);
});

it('an amount of memory beyond the largest unit is shown as a number', () => {
  expect(bytes(2 ** 60)).toBe('1024 PiB');
  expect(bytes(-2_048)).toBe('-2 KiB');
});

it('quantities shows different values as different texts in the same order, with as few digits as possible', () => {
  expect(quantities('cpu_percent', [90.04, 90])).toEqual(['90.04 %', '90 %']);
  expect(quantities('disk_bytes', [1_025, 1_024])).toEqual(['1.001 KiB', '1 KiB']);
  expect(quantities('load', [-17_982_309_346_641.996, -17_982_309_346_642])).toEqual([
    '-17982309346641.996',
    '-17982309346642',
  ]);
  const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(numbers, fc.constantFrom(-1, 1), (value, direction) => {
      const neighbour = value === 0 ? direction * Number.MIN_VALUE : value * (1 + direction * Number.EPSILON);
      const [one, other] = quantities('load', [value, neighbour]);
      if (value !== neighbour && Number.isFinite(neighbour)) {
        expect(Math.sign(Number(one) - Number(other))).toBe(Math.sign(value - neighbour));
      }
    }),
  );
});
