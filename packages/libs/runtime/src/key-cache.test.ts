import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { describe, expect, it } from 'vitest';
import { createKeyCache } from './key-cache.ts';
import { createSilentLogger } from './logger.ts';

const KEY: KeyRecord = {
  id: 'key_1',
  organizationId: 'org_1',
  name: 'k',
  scopes: ['read'],
  rateLimitPerMinute: null,
  hosts: null,
  expiresAt: null,
  revokedAt: null,
};
const MINUTE = 60_000;

function openCache() {
  const state = { now: 0, stored: KEY as KeyRecord | null, away: false, hangs: false, lookups: 0 };
  const cache = createKeyCache({
    clock: () => state.now,
    logger: createSilentLogger(),
    async findKey() {
      state.lookups += 1;
      if (state.hangs) await new Promise(() => undefined);
      if (state.away) throw new Error('away');
      return state.stored;
    },
  });
  return { state, cache };
}

describe('createKeyCache', () => {
  it('asks once for requests at the same time, and not again for a while', async () => {
    const { state, cache } = openCache();
    expect(cache.fresh('d')).toBeUndefined();
    await Promise.all([cache.find('d'), cache.find('d')]);
    state.now = 3_000;
    expect(cache.fresh('d')).toEqual(KEY);
    expect(state.lookups).toBe(1);
  });

  it('sees a revoked key within ten seconds, in use or not', async () => {
    const { state, cache } = openCache();
    await cache.find('d');
    state.stored = { ...KEY, revokedAt: 1 };
    state.now = 5_000;
    expect(cache.fresh('d')?.revokedAt).toBeNull();
    await expect.poll(() => cache.fresh('d')?.revokedAt).toBe(1);
    state.now = 14_000;
    expect(cache.fresh('d')).toBeUndefined();
  });

  it('remembers unknown keys only shortly', async () => {
    const { state, cache } = openCache();
    state.stored = null;
    await cache.find('d');
    expect(cache.fresh('d')).toBeNull();
    state.now = 5_000;
    expect(cache.fresh('d')).toBeUndefined();
  });

  it('lets keys seen before go on for fifteen minutes of an outage, and answers 503 for others', async () => {
    const { state, cache } = openCache();
    await cache.find('d');
    state.away = true;
    state.now = 10 * MINUTE;
    expect(await cache.find('d')).toEqual(KEY);
    expect(cache.healthy()).toBe(false);
    await expect(cache.find('other')).rejects.toMatchObject({ code: 'database_unavailable' });
    state.now = 16 * MINUTE;
    await expect(cache.find('d')).rejects.toMatchObject({ code: 'database_unavailable' });
    state.away = false;
    expect(await cache.find('d')).toEqual(KEY);
    expect(cache.healthy()).toBe(true);
  });

  it('takes a store that does not answer for one that is away', async () => {
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
