import { expect, test } from 'vitest';
import { METHODS } from '../petshop/methods.ts';
import { evaluatePropagation } from './evaluate.ts';

test('the cause of a fault that passes through services is ranked first, or among the first three', () => {
  const methods = METHODS.filter(({ name }) => name.includes('x strength') || name.includes('Pearson'));
  const [product, pearson] = evaluatePropagation(24, 1, methods);
  expect(product?.all.top1).toBeGreaterThanOrEqual(0.75);
  expect(product?.all.top3).toBeGreaterThanOrEqual(0.9);
  expect(product?.groups['delay, depth 2']?.place.top1).toBeGreaterThanOrEqual(0.8);
  expect(product?.all.top1).toBeGreaterThan(pearson?.all.top1 ?? 1);
});
