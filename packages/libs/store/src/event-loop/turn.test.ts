import { expect, test } from 'vitest';
import { Turn } from './turn.ts';

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('goes on at once until its time is over', async () => {
  let rounds = 0;
  setImmediate(() => {
    rounds += 1;
  });
  const turn = new Turn();
  await turn.give();
  expect([turn.isOver, rounds]).toEqual([false, 0]);
  work(11);
  expect(turn.isOver).toBe(true);
  await turn.give();
  expect([turn.isOver, rounds]).toEqual([false, 1]);
});

test('of several that wait one goes on in each round of the event loop, in their order', async () => {
  const log: string[] = [];
  const note = () => {
    log.push('round');
    if (log.length < 6) setImmediate(note);
  };
  const several = ['a', 'b', 'c'].map(async (name) => {
    const turn = new Turn();
    work(11);
    await turn.give();
    log.push(name);
  });
  setImmediate(note);
  await Promise.all(several);
  expect(log.join(' ').replaceAll(/(round )+/g, 'round ')).toBe('a round b round c');
});

test('stops once nobody waits for it any more', async () => {
  const abort = new AbortController();
  const turn = new Turn(abort.signal);
  abort.abort(new Error('gone'));
  await expect(turn.give()).rejects.toThrow('gone');
});
