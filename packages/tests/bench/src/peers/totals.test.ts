import { expect, test } from 'vitest';
import { planOf } from '../load/plan.fixture.ts';
import { createWalk } from '../load/walk.ts';
import { sameTotals, totalsOfLedger } from './totals.ts';

const plan = planOf({ hosts: 3, metrics: 2 });

test('totalsOfLedger counts only acknowledged samples', () => {
  // On connection 0, hosts 0 and 2 got two ticks and host 0 a third; on connection 1, host 1 got one.
  const ticks = [3, 1, 2];
  const sums = [0, 0];
  for (const [host, count] of ticks.entries()) {
    const walk = createWalk(plan, host);
    for (let tick = 0; tick < count; tick += 1) {
      walk.next();
      for (const metric of [0, 1]) sums[metric] = (sums[metric] as number) + (walk.values[metric] as number);
    }
  }
  const totals = totalsOfLedger(plan, { acknowledged: [5, 1], sent: [6, 2] });
  expect([...totals]).toEqual([
    ['cpu_percent', { count: 6, sum: (sums[0] as number) / 100 }],
    ['memory_percent', { count: 6, sum: (sums[1] as number) / 100 }],
  ]);
});

test.each([
  [{ count: 10, sum: 1e9 }, { count: 10, sum: 1e9 + 0.5 }, true],
  [{ count: 10, sum: 1e9 }, { count: 10, sum: 1e9 + 5 }, false],
  [{ count: 10, sum: 5 }, { count: 9, sum: 5 }, false],
  [{ count: 0, sum: 0 }, { count: 0, sum: 0 }, true],
])('%j and %j', (a, b, same) => expect(sameTotals(a, b)).toBe(same));
