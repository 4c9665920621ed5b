import { newId } from '@tidewatch/contracts/values/id';
import { storeForFile } from '@tidewatch/harness/store';
import { describe, expect, it } from 'vitest';
import { type Budget, NOTHING_SPENT } from './budget.ts';
import { type Reservation, spendOfStore } from './spend.ts';

const NOW = Date.parse('2026-11-22T10:20:00Z');
const BUDGET: Budget = {
  hour: { calls: 4, tokens: 10_000, costMicros: null },
  day: { calls: 100, tokens: 1_000_000, costMicros: null },
  reserve: 0.25,
};
const CALL = { ...NOTHING_SPENT, calls: 1, inputTokens: 600, outputTokens: 400 };

const organization = newId('org');
const store = await storeForFile({ as: 'product', organizations: [organization] });

describe('spendOfStore', () => {
  const spent = async () => {
    const [row] = await store.sql`
      select sum(calls)::int as calls, sum(input_tokens)::int as input, sum(output_tokens)::int as output
      from investigation_spend`;
    return row;
  };

  it('reserves and settles calls, and refuses calls beyond the limits of all processes', async () => {
    let now = NOW;
    const ledger = (severity: string | null) =>
      spendOfStore({ transact: store.transact, clock: () => now, budget: BUDGET }, organization, severity);
    const first = (await ledger(null).reserve(CALL)) as Reservation;
    expect(await spent()).toEqual({ calls: 1, input: 600, output: 400 });
    now += 3_600_000;
    // The spend counts for the hour of the reservation.
    await first.settle({ ...CALL, inputTokens: 100, outputTokens: 50 });
    expect(await spent()).toEqual({ calls: 1, input: 100, output: 50 });
    now = NOW;
    await ((await ledger('warning').reserve(CALL)) as Reservation).settle(null);
    expect(await spent()).toEqual({ calls: 2, input: 700, output: 450 });
    await ledger(null).reserve(CALL);
    expect(await ledger('warning').reserve(CALL)).toEqual({
      refused: 'the rest of the limit of calls for models is reserved for critical alerts, for this hour',
    });
    expect(await ledger('critical').reserve(CALL)).toHaveProperty('settle');
    expect(await ledger('critical').reserve(CALL)).toEqual({
      refused: 'the limit of calls for models is reached for this hour',
    });
    expect((await spent())?.['calls']).toBe(4);
    now += 3_600_000;
    expect(await ledger('warning').reserve(CALL)).toHaveProperty('settle');
  });
});
