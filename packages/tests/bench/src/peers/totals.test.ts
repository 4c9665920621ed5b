import { expect, test } from 'vitest';
import { planOf } from '../load/plan.fixture.ts';
import { createWalk } from '../load/walk.ts';
import { countTidewatch, sameTotals, totalsOfLedger } from './totals.ts';

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

test('countTidewatch adds the steps of every hour', async () => {
  const asked: { from: string; to: string; aggregate: string }[] = [];
  const http = {
    get: async () => Buffer.alloc(0),
    async post(_path: string, body: Uint8Array | string) {
      const { from, to, aggregate } = JSON.parse(String(body));
      asked.push({ from, to, aggregate });
      const points = aggregate === 'count' ? [{ value: 2 }, { value: 1 }] : [{ value: 0.5 }, { value: 1.25 }];
      return Buffer.from(JSON.stringify({ series: [{ points }] }));
    },
    close: () => undefined,
  };
  const start = Date.parse('2026-11-29T10:00:00Z');
  const end = start + 90 * 60_000;
  expect(await countTidewatch(http, 'cpu_percent', start, end)).toEqual({ count: 6, sum: 3.5 });
  expect(asked.filter(({ aggregate }) => aggregate === 'sum')).toEqual([
    { from: '2026-11-29T10:00:00.000Z', to: '2026-11-29T11:00:00.000Z', aggregate: 'sum' },
    { from: '2026-11-29T11:00:00.000Z', to: '2026-11-29T11:30:00.001Z', aggregate: 'sum' },
  ]);
});
