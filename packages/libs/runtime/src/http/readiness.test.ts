import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Checks, createReadiness } from './readiness.ts';

const FAILED = 'the check of "keys" failed; the log says why';

describe('readiness', () => {
  const lines: unknown[][] = [];
  const ask = (checks: { missing?: Checks; degraded?: Checks }) =>
    createReadiness({
      missing: {},
      degraded: {},
      ...checks,
      logger: { warn: (...line: unknown[]) => lines.push(line) },
    });

  beforeEach(() => {
    lines.length = 0;
  });
  afterEach(() => vi.useRealTimers());

  it('is ready while no check has a reason', async () => {
    expect(await ask({ missing: { bus: () => [] }, degraded: { keys: async () => [] } })()).toEqual({
      status: 'ready',
      reasons: [],
      details: {},
    });
  });

  it('is unavailable for a reason of a missing part, and degraded for a reason of any other', async () => {
    expect(await ask({ missing: { bus: () => ['away'] } })()).toMatchObject({ status: 'unavailable' });
    expect(await ask({ degraded: { bus: () => ['away'] } })()).toMatchObject({ status: 'degraded' });
  });

  it.each([
    ['rejects', async () => Promise.reject(new Error('permission denied'))],
    [
      'throws',
      () => {
        throw new Error('permission denied');
      },
    ],
  ])('counts a check that %s as failed', async (_, keys) => {
    expect(await ask({ degraded: { keys } })()).toMatchObject({ status: 'degraded', reasons: [FAILED] });
    expect(await ask({ missing: { keys } })()).toMatchObject({ status: 'unavailable', reasons: [FAILED] });
  });

  it('counts a check that never ends as failed, after two seconds', async () => {
    vi.useFakeTimers();
    const answer = ask({ degraded: { keys: () => new Promise(() => undefined) } })();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await answer).toMatchObject({ status: 'degraded', reasons: [FAILED] });
  });

  it('logs the error of a failed check once, and again after the check has passed', async () => {
    let fails = true;
    const readiness = ask({
      degraded: { keys: async () => (fails ? Promise.reject(new Error('permission denied')) : []) },
    });
    await readiness();
    await readiness();
    expect(lines).toEqual([
      [{ err: new Error('permission denied'), check: 'keys' }, 'a readiness check failed'],
    ]);
    fails = false;
    await readiness();
    fails = true;
    await readiness();
    expect(lines).toHaveLength(2);
  });
});
