import { describe, expect, it } from 'vitest';
import { backoffMs, type Try, waitBeforeRetry } from './retry.ts';

const PATIENCE = { retries: 3, maxWaitMs: 30_000 };
const base: Try = {
  method: 'GET',
  repeatable: true,
  earlier: 0,
  status: 503,
  code: 'shutting_down',
  retryAfterMs: null,
};

describe('waitBeforeRetry', () => {
  it.each<[string, Partial<Try>, number | null]>([
    ['a read without an answer', { status: null, code: null }, 250],
    ['a read of a gateway that is away', { status: 502, code: null }, 250],
    ['as long as the service asks, and a little', { retryAfterMs: 2_000 }, 2_250],
    ['never longer than the longest wait', { retryAfterMs: 29_900 }, 30_000],
    ['not at all where the service asks for longer', { retryAfterMs: 30_001 }, null],
    ['with bounds that grow', { earlier: 2 }, 1_000],
    ['not after the last try', { earlier: 3 }, null],
    ['not what is wrong in itself', { status: 422, code: 'validation_failed' }, null],
    ['not a fault of the service', { status: 500, code: 'internal_error' }, null],
    ['a creation beyond the rate limit', { repeatable: false, status: 429, code: 'rate_limited' }, 250],
    ['a creation that a leaving process refused', { repeatable: false }, 250],
    ['not a creation whose commit is unknown', { repeatable: false, code: 'database_unavailable' }, null],
    ['a read whose database is away', { code: 'database_unavailable' }, 250],
    ['not a creation that a proxy could not pass on', { repeatable: false, code: null }, null],
    ['not a creation without an answer', { repeatable: false, status: null, code: null }, null],
  ])('%s', (_name, change, expected) => {
    expect(waitBeforeRetry({ ...base, ...change }, PATIENCE, 0.5)).toBe(expected);
  });
});

it('waits anywhere below a bound that doubles up to a minute', () => {
  expect([0, 1, 2, 7, 100].map((earlier) => backoffMs(earlier, 1))).toEqual([
    500, 1_000, 2_000, 60_000, 60_000,
  ]);
  expect(backoffMs(5, 0)).toBe(0);
});
