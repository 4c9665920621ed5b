import { expect, test } from 'vitest';
import { gatheringAt } from './gathering.ts';

test.each([
  [1_000, { payloads: 2, waitMs: 1_500 }],
  [1_001, { payloads: 1, waitMs: 0 }],
  [2_000, { payloads: 1, waitMs: 0 }],
  [10_000, { payloads: 1, waitMs: 0 }],
  [3_600_000, { payloads: 1, waitMs: 0 }],
])('an agent with an interval of %i ms gathers %o', (intervalMs, gathering) => {
  expect(gatheringAt(intervalMs)).toEqual(gathering);
});
