import { limitsSchema } from '@tidewatch/contracts/limits/limits';
import { expect, it } from 'vitest';
import { type Limits, limitRows, shareOf, shareText, statusOf } from './limit-rows.ts';

const stored = (used: number, limit: number) => ({ used, limit });
const LIMITS: Limits = {
  requests: { per_minute: 600, used: 42, resets_at: '2026-11-26T12:01:00.000Z' },
  samples: { per_minute: 1_000, available: -200 },
  series: stored(9, 10),
  parts_per_host: stored(30, 256),
  part_series_per_host: stored(152, 2_000),
  rules: stored(8, 8),
  channels: stored(0, 0),
  silences: stored(1, 10),
  keys: stored(2, 10),
  markers: stored(3, 10),
  audit_bytes: stored(4, 10),
};

it('has a row for every limit of the contract', () => {
  expect(limitRows(LIMITS)).toHaveLength(Object.keys(limitsSchema.shape).length);
});

it('counts samples as used by what may not be sent at once any more', () => {
  const [, samples] = limitRows(LIMITS);
  expect(samples).toMatchObject({ used: 1_200, limit: 1_000 });
  const [, unlimited] = limitRows({ ...LIMITS, samples: { per_minute: null, available: null } });
  expect(shareOf(unlimited as { used: null; limit: null })).toBeNull();
});

it.each([
  [79, 100, null],
  [80, 100, 'warning'],
  [99, 100, 'warning'],
  [100, 100, 'critical'],
  [101, 100, 'critical'],
  [0, 0, 'critical'],
])('%i of %i has the status %s', (used, limit, status) => {
  expect(statusOf(shareOf({ used, limit }) ?? 0)).toBe(status);
});

it.each([
  [0, '0 %'],
  [0.0004, '< 0.1 %'],
  [0.0123, '1.2 %'],
  [0.42, '42 %'],
  [0.9999, '99.9 %'],
  [1.2, '120 %'],
])('shows a share of %d as %s, and never rounds up to the limit', (share, text) => {
  expect(shareText(share)).toBe(text);
});
