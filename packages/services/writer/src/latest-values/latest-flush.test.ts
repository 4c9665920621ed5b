import { expect, test } from 'vitest';
import { pauseAfterFlush } from './latest-flush.ts';

test.each([
  ['a quick flush of hosts that report seldom', 4, 1, 200],
  ['one that takes longer', 80, 1.1, 240],
  ['one that takes very long', 2_000, 1, 300],
  ['hosts of which some report again within the pause', 50, 1.2, 700],
  ['the same where a flush takes long', 2_000, 30, 200],
  ['nothing to write', 0, 0, 200],
])('the pause after %s', (_, tookMs, payloads, pause) => {
  expect(pauseAfterFlush(tookMs, payloads)).toBe(pause);
});
