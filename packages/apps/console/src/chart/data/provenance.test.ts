import { expect, it } from 'vitest';
import { provenance } from './provenance.ts';

it.each([
  [{ tier: 'raw', stepMs: 10_000, intervalMs: 10_000 }, 'samples every 10 s'],
  [{ tier: 'raw', stepMs: 30_000, intervalMs: 10_000 }, '30-second steps of samples every 10 s'],
  [{ tier: '1m', stepMs: 60_000, intervalMs: 10_000 }, '1-minute rollups of samples every 10 s'],
  [
    { tier: '1m', stepMs: 300_000, intervalMs: 10_000 },
    '5-minute steps of 1-minute rollups of samples every 10 s',
  ],
  [{ tier: '1h', stepMs: 3_600_000, intervalMs: null }, '1-hour rollups of samples'],
  [{ tier: '1d', stepMs: 432_000_000, intervalMs: null }, '5-day steps of 1-day rollups of samples'],
])('names the data of %j', (source, text) => {
  expect(provenance(source, 'mean')).toBe(`${text} · mean`);
});
