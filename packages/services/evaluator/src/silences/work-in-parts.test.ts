import { expect, test } from 'vitest';
import { WorksInParts } from './work-in-parts.ts';

async function* parts(name: string, count: number, done: string[]) {
  for (let part = 1; part <= count; part += 1) {
    done.push(`${name}${part}`);
    yield;
  }
}

const begin = (...works: [organizationId: string, name: string, count: number][]) => {
  const done: string[] = [];
  const all = new WorksInParts();
  const add = (organizationId: string, name: string, count: number) =>
    all.add(name, { organizationId, parts: parts(name, count, done) });
  for (const work of works) add(...work);
  return { all, add, done };
};

test('organizations take one part of work each in turn, and so do the works of one organization', async () => {
  const { all, done } = begin(['a', 'w', 3], ['a', 'x', 1], ['b', 'y', 1]);
  await all.run(() => false);
  expect(done).toEqual(['w1', 'y1', 'x1', 'w2', 'w3']);
  expect(all.isEmpty).toBe(true);
});

test('work that a round leaves is continued in the next round, in turn with new work', async () => {
  const { all, add, done } = begin(['a', 'w', 3]);
  await all.run(() => done.length === 2);
  expect(all.has('a', 'w')).toBe(true);
  add('a', 'w', 9);
  add('b', 'y', 1);
  await all.run(() => false);
  expect(done).toEqual(['w1', 'w2', 'w3', 'y1']);
});

test('work whose part fails is dropped, and the remaining work of others is done in the next round', async () => {
  const { all, done } = begin(['b', 'y', 1]);
  const failing = { next: () => Promise.reject(new Error('no')) };
  const first = new WorksInParts();
  first.add('fails', { organizationId: 'a', parts: failing });
  first.add('y', { organizationId: 'b', parts: parts('y', 1, done) });
  await expect(first.run(() => false)).rejects.toThrow('no');
  expect(first.has('a', 'fails')).toBe(false);
  await first.run(() => false);
  expect(done).toEqual(['y1']);
  all.clear();
  expect(all.isEmpty).toBe(true);
});
