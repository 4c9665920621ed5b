import { describe, expect, it } from 'vitest';
import { checkClock, checkDisk, checkLimits, checkParts } from './check-installation.ts';
import { worst } from './finding.ts';

const GIB = 2 ** 30;

describe('checkParts', () => {
  it('gives advice for each reason of /readyz', () => {
    expect(checkParts({ status: 'ready', reasons: [] })).toMatchObject([{ status: 'ok', advice: null }]);
    const reasons = ['ingest is closed: storage_full', 'gateway: Redis does not answer', 'something new'];
    const found = checkParts({ status: 'degraded', reasons });
    expect(found.map(({ status, summary }) => [status, summary])).toEqual(
      reasons.map((each) => ['warning', each]),
    );
    expect(found.map(({ advice }) => advice)).toEqual([
      expect.stringContaining('free disk space'),
      expect.stringContaining('Redis runs'),
      expect.stringContaining('read the log'),
    ]);
    expect(worst(checkParts({ status: 'unavailable', reasons: [] }))).toBe('failed');
  });
});

it.each([
  [0, 'ok', 'agree'],
  [-4_999, 'ok', 'agree'],
  [5_000, 'warning', '5 s behind'],
  [-59_000, 'warning', '59 s ahead'],
  [3_600_000, 'failed', '3600 s behind'],
  [null, 'unknown', 'no Date header'],
])('checkClock for an offset of %s ms is %s', (offset, status, words) => {
  const found = checkClock(offset);
  expect(found.status).toBe(status);
  expect(found.summary).toContain(words);
});

it.each([
  [50, 100, 'ok'],
  [9, 100, 'warning'],
  [1.5, 10, 'warning'],
  [4, 100, 'failed'],
  [0.9, 2, 'failed'],
])('checkDisk with %d of %d GiB free is %s', (free, total, status) => {
  const disk = { directory: '/data', freeBytes: free * GIB, totalBytes: total * GIB };
  expect(checkDisk(disk).status).toBe(status);
});

it.each([
  [
    '"api"; r=59999; t=60',
    '"api"; q=60000; w=60; pk=:AA:',
    'ok',
    '59999 of 60000 requests left, reset in 60 s',
  ],
  ['"api";r=5;t=9', '"api";q=60', 'warning', '5 of 60'],
  [null, null, 'unknown', 'no rate limit'],
])('checkLimits for the headers %s and %s is %s', (limit, policy, status, words) => {
  expect(checkLimits(limit, policy)).toMatchObject({ status, summary: expect.stringContaining(words) });
});
