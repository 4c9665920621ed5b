import { expect, it } from 'vitest';
import { createByteBudget } from './byte-budget.ts';

it('waiters get room in their order', async () => {
  const budget = createByteBudget({ capacity: 10, maxWaiting: 5, maxWaitMs: 1_000 });
  const order: string[] = [];
  await budget.take(8);
  const large = budget.take(6).then(() => order.push('large'));
  const small = budget.take(1).then(() => order.push('small'));
  expect(budget.tryTake(1)).toBe(false);
  budget.give(8);
  await Promise.all([large, small]);
  expect(order).toEqual(['large', 'small']);
  budget.give(7);
  expect(budget.tryTake(10)).toBe(true);
});

it('who waits too long, or finds too many waiting, is refused with 503', async () => {
  const budget = createByteBudget({ capacity: 1, maxWaiting: 1, maxWaitMs: 10 });
  await budget.take(1);
  const waiting = budget.take(1);
  await expect(budget.take(1)).rejects.toMatchObject({ code: 'ingest_unavailable' });
  await expect(waiting).rejects.toMatchObject({
    code: 'ingest_unavailable',
    headers: { 'Retry-After': '1' },
  });
});
