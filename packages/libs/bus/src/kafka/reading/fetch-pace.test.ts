import { describe, expect, test } from 'vitest';
import { createFetchPace, GROUP_BYTES } from './fetch-pace.ts';

const KIB = 1024;

async function pauseAfter(parts: readonly number[], { lag = 0, prompt = false } = {}): Promise<number> {
  let slept = 0;
  const pace = createFetchPace(prompt, async (ms) => {
    slept += ms;
  });
  pace.sent();
  for (const bytes of parts) pace.received(bytes);
  await pace.pauseAfterFetch(lag);
  return slept;
}

describe('the pause between two fetches', () => {
  test.each([
    ['nothing', []],
    ['little', [127 * KIB]],
    ['little of each of two partitions', [60 * KIB, 67 * KIB]],
  ])('is absent where %s came', async (_, parts) => {
    expect(await pauseAfter(parts)).toBe(0);
  });

  test.each([
    ['one partition', [128 * KIB]],
    ['several partitions', [100 * KIB, 30 * KIB]],
    ['as many partitions as fit into a fetch', [300 * KIB, GROUP_BYTES - 300 * KIB]],
  ])('follows a fetch in which %s had much and no lag is left', async (_, parts) => {
    expect(await pauseAfter(parts)).toBe(200);
  });

  test('does not pause a consumer that lags', async () => {
    expect(await pauseAfter([GROUP_BYTES], { lag: 1 })).toBe(0);
  });

  test('does not pause a prompt consumer', async () => {
    expect(await pauseAfter([GROUP_BYTES], { prompt: true })).toBe(0);
  });

  test('decides whether to pause by the bytes of the last fetch alone', async () => {
    let rests = 0;
    const pace = createFetchPace(false, async () => {
      rests += 1;
    });
    for (let fetch = 0; fetch < 3; fetch += 1) {
      pace.sent();
      pace.received(100 * KIB);
      await pace.pauseAfterFetch(0);
    }
    expect(rests).toBe(0);
  });
});
