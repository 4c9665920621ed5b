import { expect, it } from 'vitest';
import { servesCommunity } from './choice.ts';

it.each([
  ['2.19.3', 'timescale', false],
  ['2.22.1', 'timescale', false],
  ['2.25.0', 'timescale', false],
  ['2.28.0', 'timescale', true],
  ['2.28.3', 'timescale', true],
  ['2.30.0-dev', 'timescale', true],
  ['3.0.0', 'timescale', true],
  ['1.7.5', 'timescale', false],
  ['2.28.3', 'apache', false],
  ['2.28.3', null, false],
])('TimescaleDB %s with the license %s serves the Community edition: %s', (version, license, serves) => {
  expect(servesCommunity(version, license)).toBe(serves);
});
