import { expect, it } from 'vitest';
import { formatDuration, formatValue } from './number-format.ts';

it.each([
  [97.43, 'percent', '97.4 %'],
  [100, 'percent', '100 %'],
  [0, 'percent', '0 %'],
  [0.0421, 'percent', '0.0421 %'],
  [1_181_116_006, 'bytes', '1.1 GiB'],
  [1_023, 'bytes', '1,023 B'],
  [1_048_575, 'bytes', '1 MiB'],
  [-2_048, 'bytes', '-2 KiB'],
  [1_240, 'count', '1,240'],
  [999.7, null, '1,000'],
  [1_234_567.8, null, '1,234,568'],
  [0.00001, null, '1e-5'],
  [0.24, 'seconds', '240 ms'],
  [1_300, 'milliseconds', '1.3 s'],
  [null, 'percent', '–'],
  [undefined, 'bytes', '–'],
  [Number.NaN, 'count', '–'],
] as const)('shows %s as %s: %s', (value, unit, shown) => {
  expect(formatValue(value, unit)).toBe(shown);
});

it('shows a rate of bytes in bytes and any other as a number', () => {
  expect(formatValue(222_298_112, 'per second', 'network_bytes_per_second')).toBe('212 MiB/s');
  expect(formatValue(1_240, 'per second', 'requests_per_second')).toBe('1,240/s');
});

it('shows degrees where the name of a metric says that it has them', () => {
  expect(formatValue(41.25, null, 'sensor.temperature_celsius')).toBe('41.3 °C');
});

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [999.6, '1 s'],
  [9_960, '10 s'],
  [59_400, '59 s'],
  [59_600, '1 min'],
  [240_000, '4 min'],
  [11_520_000, '3 h 12 min'],
  [3_600_000, '1 h'],
  [86_400_000, '1 d'],
  [187_200_000, '2 d 4 h'],
  [-5_000, '-5 s'],
])('shows %i ms as %s', (ms, shown) => {
  expect(formatDuration(ms)).toBe(shown);
});
