import { expect, test } from 'vitest';
import { planOf } from './plan.fixture.ts';
import { positionOf, timeOf } from './plan.ts';
import { openSequence } from './sequence.ts';
import { createWalk } from './walk.ts';

const plan = planOf({ paced: true });

test('the sequence of a plan has every host and tick once, in order, with the values of the host’s walk', () => {
  const seen = new Set<string>();
  for (let connection = 0; connection < plan.connections; connection += 1) {
    const sequence = openSequence(plan, connection);
    for (let position = 0; position < sequence.total; position += 1) {
      const { host, tick, time, values } = sequence.next();
      const walk = createWalk(plan, host);
      for (let step = 0; step <= tick; step += 1) walk.next();
      expect(positionOf(plan, host, tick)).toBe(position);
      expect(time).toBe(timeOf(plan, host, tick));
      expect([...values]).toEqual([...walk.values]);
      seen.add(`${host} ${tick}`);
    }
    expect(() => sequence.next()).toThrow('no payload');
  }
  expect(seen.size).toBe(plan.hosts * plan.ticks);
});
