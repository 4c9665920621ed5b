import { keyRecordOf } from '@tidewatch/contracts/keys/key-record.fixture';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { describe, expect, it } from 'vitest';
import { createSilentLogger } from '../telemetry/logger.ts';
import { createKeyCache } from './key-cache.ts';

const KEY = keyRecordOf();

function openCache() {
  const state = {
    now: 0,
    stored: KEY as KeyRecord | null,
    revision: 1,
    away: false,
    hangs: false,
    lookups: 0,
    questions: 0,
  };
  async function answer<T>(value: T): Promise<T> {
    if (state.hangs) await new Promise(() => undefined);
    if (state.away) throw new Error('away');
    return value;
  }
  const cache = createKeyCache({
    clock: () => state.now,
    logger: createSilentLogger(),
    keys: {
      find() {
        state.lookups += 1;
        return answer(state.stored);
      },
      revision() {
        state.questions += 1;
        return answer(state.revision);
      },
    },
  });
  return { state, cache };
}

describe('createKeyCache', () => {
  it('looks a key up once for concurrent requests, and then serves it from memory', async () => {
    const { state, cache } = openCache();
    expect(cache.fresh('d')).toBeUndefined();
    await Promise.all([cache.find('d'), cache.find('d')]);
    state.now = 3_000;
    expect(cache.fresh('d')).toEqual(KEY);
    expect(state.lookups).toBe(1);
  });

  it('refuses a revoked key within ten seconds, in use or not', async () => {
    const { state, cache } = openCache();
    await cache.find('d');
    Object.assign(state, { stored: { ...KEY, revokedAt: 1 }, revision: 2, now: 5_000 });
    expect(cache.fresh('d')?.revokedAt).toBeNull();
    await expect.poll(() => cache.fresh('d')?.revokedAt).toBe(1);
    state.now = 14_000;
    expect(cache.fresh('d')).toBeUndefined();
  });

  it('notices a change of a key during its look-up', async () => {
    const { state, cache } = openCache();
    await cache.find('first');
    state.now = 1_000;
    const lookup = cache.find('d');
    Object.assign(state, { stored: { ...KEY, revokedAt: 1 }, revision: 2 });
    expect((await lookup)?.revokedAt).toBeNull();
    state.now = 10_500;
    expect(cache.fresh('d')).toBeUndefined();
    expect((await cache.find('d'))?.revokedAt).toBe(1);
  });

  it('sends one query for many keys while none is changed, whether they are used often or seldom', async () => {
    const { state, cache } = openCache();
    const digests = Array.from({ length: 1_000 }, (_, index) => `d${index}`);
    const useAll = () => Promise.all(digests.map(async (d) => cache.fresh(d) ?? (await cache.find(d))));
    // Two rounds, because the first does not know yet at which revision the keys were read.
    for (const now of [0, 5_000]) {
      state.now = now;
      await useAll();
    }
    await expect.poll(() => state.lookups).toBe(2_000);
    state.questions = 0;
    for (let round = 1; round <= 20; round += 1) {
      state.now += 5_000 + 1_000 * round;
      for (const key of await useAll()) expect(key).toEqual(KEY);
      // Waits until the answer has arrived, before the next round.
      await new Promise(setImmediate);
    }
    expect(state.lookups).toBe(2_000);
    expect(state.questions).toBeLessThanOrEqual(20);
    Object.assign(state, { stored: { ...KEY, revokedAt: 1 }, revision: 2 });
    state.now += 9_000;
    for (const key of await useAll()) expect(key?.revokedAt).toBe(1);
    expect(state.lookups).toBe(3_000);
  });

  it('caches unknown keys only for a short time', async () => {
    const { state, cache } = openCache();
    state.stored = null;
    await cache.find('d');
    expect(cache.fresh('d')).toBeNull();
    state.now = 5_000;
    expect(cache.fresh('d')).toBeUndefined();
  });

  it('accepts cached keys for fifteen minutes of an outage, and answers 503 for others', async () => {
    const { state, cache } = openCache();
    await cache.find('d');
    state.away = true;
    state.now = 10 * MINUTE_MS;
    expect(await cache.find('d')).toEqual(KEY);
    expect(cache.healthy()).toBe(false);
    await expect(cache.find('other')).rejects.toMatchObject({ code: 'database_unavailable' });
    state.now = 16 * MINUTE_MS;
    await expect(cache.find('d')).rejects.toMatchObject({ code: 'database_unavailable' });
    state.away = false;
    expect(await cache.find('d')).toEqual(KEY);
    expect(cache.healthy()).toBe(true);
  });

  it('treats a store that does not respond as unavailable', async () => {
    const { state, cache } = openCache();
    await cache.find('d');
    state.hangs = true;
    state.now = 9_000;
    expect(cache.fresh('d')).toBeUndefined();
    expect(await cache.find('d')).toEqual(KEY);
    expect(cache.fresh('d')).toEqual(KEY);
    await expect(cache.find('other')).rejects.toMatchObject({ code: 'database_unavailable' });
    const asked = state.lookups;
    const guesses = Array.from({ length: 1_000 }, (_, index) => cache.find(`guess-${index}`));
    for (const guess of await Promise.allSettled(guesses)) expect(guess.status).toBe('rejected');
    expect(state.lookups - asked).toBeLessThanOrEqual(100);
  });
});
