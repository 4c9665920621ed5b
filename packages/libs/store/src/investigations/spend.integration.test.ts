import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { storeForFile } from '@tidewatch/harness/store';
import { describe, expect, it } from 'vitest';
import { addSpend, lockSpend, readOwnSpend, type SpendKey } from './spend.ts';

const HOUR = Date.parse('2026-11-22T10:00:00Z');
const NOTHING = { calls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

const [one, other] = [newId('org'), newId('org')];
const store = await storeForFile({ as: 'product', organizations: [one, other], max: 8 });

describe('the spend of language models', () => {
  const key = (otherwise: Partial<SpendKey> = {}): SpendKey => ({
    organizationId: one,
    hour: HOUR,
    severityClass: 'other',
    ...otherwise,
  });
  const add = (at: SpendKey, calls: number, inputTokens = 0) =>
    store.transact((tx) => addSpend(tx, at, { ...NOTHING, calls, inputTokens }));

  it('is summed by hour and day over all organizations, separately for each class', async () => {
    await add(key(), 1, 2 ** 40);
    await add(key(), 2);
    await add(key({ organizationId: other }), 4);
    await add(key({ severityClass: 'critical' }), 8);
    await add(key({ hour: HOUR - 23 * HOUR_MS }), 16);
    await add(key({ hour: HOUR - DAY_MS }), 32);
    await add(key({ hour: HOUR + HOUR_MS }), 64);
    expect(await store.transact((tx) => lockSpend(tx, HOUR))).toEqual({
      hour: {
        other: { ...NOTHING, calls: 7, inputTokens: 2 ** 40 },
        critical: { ...NOTHING, calls: 8 },
      },
      day: {
        other: { ...NOTHING, calls: 23, inputTokens: 2 ** 40 },
        critical: { ...NOTHING, calls: 8 },
      },
    });
  });

  it('of one organization is the sum over its own investigations', async () => {
    const own = () => store.transact((tx) => readOwnSpend(tx, one, HOUR));
    expect(await own()).toBeNull();
    const add = (organizationId: string) => store.sql`
      insert into investigations (organization_id, id, created_at, trigger, service_id, host, severity, title, window_from, window_to, updated_at)
      values (${organizationId}, ${newId('inv')}, now(), 'alert', 'svc_a', 'a', 'info', 'a', now(), now(), now())`;
    await add(one);
    expect(await own()).toBeNull();
    await add(other);
    expect(await own()).toEqual({
      hour: { ...NOTHING, calls: 11, inputTokens: 2 ** 40 },
      day: { ...NOTHING, calls: 27, inputTokens: 2 ** 40 },
    });
  });

  it('is reduced when less was used than reserved', async () => {
    const at = key({ hour: HOUR + 100 * HOUR_MS });
    await add(at, 1, 5_000);
    await add(at, 0, -4_900);
    const { hour } = await store.transact((tx) => lockSpend(tx, at.hour));
    expect(hour.other).toEqual({ ...NOTHING, calls: 1, inputTokens: 100 });
  });

  it('is not allowed twice for processes that ask at the same time', async () => {
    const at = key({ hour: HOUR + 200 * HOUR_MS });
    const limit = 5;
    const reserve = () =>
      store.transact(async (tx) => {
        const { hour } = await lockSpend(tx, at.hour);
        if (hour.other.calls >= limit) return false;
        await addSpend(tx, at, { ...NOTHING, calls: 1 });
        return true;
      });
    const allowed = await Promise.all(Array.from({ length: 24 }, reserve));
    expect(allowed.filter(Boolean)).toHaveLength(limit);
  });
});
