import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { createMemoryBucket, type TokenBucket } from '@tidewatch/runtime/limits/token-bucket';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSamplesLimit } from './samples-limit.ts';

/** A bucket with the clock of the test, and the number of calls. */
function open(perMinute: number) {
  const clock = { now: 0, asked: 0 };
  const bucket = createMemoryBucket(perMinute, () => clock.now);
  const counted: TokenBucket = {
    take(...request) {
      clock.asked += 1;
      return bucket.take(...request);
    },
    level: (key) => bucket.level(key),
  };
  const gateway = () => createSamplesLimit({ perMinute, bucket: counted, monotonic: () => clock.now });
  return { clock, gateway };
}

const outcome = async (taken: Promise<void> | undefined) => {
  try {
    await taken;
    return 'taken';
  } catch (error) {
    return error instanceof ProblemError ? error.headers['Retry-After'] : error;
  }
};

describe('samples of an organization', () => {
  it('are leased from the shared limit in blocks of a second', async () => {
    const { clock, gateway } = open(6_000);
    const limit = gateway();
    for (let index = 0; index < 101; index += 1) await limit.take('org_1', 10);
    // The first requests lease ten and a hundred more tokens; then every eleventh request leases again.
    expect(clock.asked).toBe(10);
  });

  it('are refused once they are used up, with the time until the request is accepted', async () => {
    const { clock, gateway } = open(600);
    const limit = gateway();
    expect(await outcome(limit.take('org_1', 600))).toBe('taken');
    expect(await outcome(limit.take('org_1', 100))).toBe('10');
    expect(await outcome(limit.take('org_2', 100))).toBe('taken');
    const { asked } = clock;
    expect(await outcome(limit.take('org_1', 200))).toBe('10');
    expect(clock.asked).toBe(asked);
    clock.now += 10_000;
    expect(await outcome(limit.take('org_1', 100))).toBe('taken');
  });

  it('of one request may exceed the limit of a minute, whose balance then becomes negative', async () => {
    const { clock, gateway } = open(60);
    const limit = gateway();
    expect(await outcome(limit.take('org_1', 120))).toBe('taken');
    expect(await outcome(limit.take('org_1', 1))).toBe('61');
    clock.now += 61_000;
    expect(await outcome(limit.take('org_1', 1))).toBe('taken');
  });

  it('of concurrent requests are leased once', async () => {
    const { clock, gateway } = open(6_000);
    const limit = gateway();
    const all = await Promise.all(Array.from({ length: 10 }, () => outcome(limit.take('org_1', 10))));
    expect([all, clock.asked]).toEqual([Array(10).fill('taken'), 1]);
  });

  it('of several gateways never exceed the limit', async () => {
    const step = fc.record({
      gateway: fc.nat(2),
      samples: fc.integer({ min: 1, max: 60 }),
      after: fc.nat(3_000),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, gateway } = open(120);
        const gateways = [gateway(), gateway(), gateway()];
        let taken = 0;
        for (const { gateway: which, samples, after } of steps) {
          clock.now += after;
          if ((await outcome(gateways[which]?.take('org_1', samples))) === 'taken') taken += samples;
        }
        expect(taken).toBeLessThanOrEqual(120 + (clock.now * 120) / 60_000);
      }),
    );
  });
});
