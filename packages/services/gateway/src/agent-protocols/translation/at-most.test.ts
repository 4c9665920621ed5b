import { LRUCache } from 'lru-cache';
import { expect, it } from 'vitest';
import { atMost } from './at-most.ts';

it('evicts the least recently used entry once there are as many as it may have', () => {
  const cache = new LRUCache<string, number>(atMost(3));
  for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index);
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd']);
});

it('takes little memory before it has entries', () => {
  const before = process.memoryUsage().heapUsed;
  const caches = Array.from({ length: 100 }, () => new LRUCache<string, number>(atMost(50_000)));
  // One with places for 50,000 takes a million bytes.
  expect((process.memoryUsage().heapUsed - before) / caches.length).toBeLessThan(50_000);
});
