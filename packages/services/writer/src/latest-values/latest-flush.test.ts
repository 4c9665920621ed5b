import { expect, test } from 'vitest';
import { pauseAfterFlush } from './latest-flush.ts';

test.each([
  ['a quick flush of hosts that rarely report', 4, 1, 200],
  ['a slower flush', 80, 1.1, 240],
  ['a very slow flush', 2_000, 1, 300],
  ['a flush when some hosts report again within the pause', 50, 1.2, 700],
  ['a very slow flush when hosts report again within the pause', 2_000, 30, 200],
  ['a flush with nothing to write', 0, 0, 200],
])('the pause after %s of %i ms for %f payloads each is %i ms', (_, tookMs, payloads, pause) => {
  expect(pauseAfterFlush(tookMs, payloads)).toBe(pause);
});
