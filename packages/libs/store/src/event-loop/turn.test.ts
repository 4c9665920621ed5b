import { expect, test } from 'vitest';
import { Turn } from './turn.ts';

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('continues at once until its time is used up', async () => {
  let rounds = 0;
  setImmediate(() => {
    rounds += 1;
  });
  const turn = new Turn();
  await turn.yieldWhenDue();
  expect([turn.isOver, rounds]).toEqual([false, 0]);
  work(11);
  expect(turn.isOver).toBe(true);
  await turn.yieldWhenDue();
  expect([turn.isOver, rounds]).toEqual([false, 1]);
});

test('continues one waiting task in each round of the event loop, in order', async () => {
  const log: string[] = [];
  const note = () => {
    log.push('round');
    if (log.length < 6) setImmediate(note);
  };
  const several = ['a', 'b', 'c'].map(async (name) => {
    const turn = new Turn();
    work(11);
    await turn.yieldWhenDue();
    log.push(name);
  });
  setImmediate(note);
  await Promise.all(several);
  expect(log.join(' ').replaceAll(/(round )+/g, 'round ')).toBe('a round b round c');
});

test('stops when no task waits', async () => {
  const abort = new AbortController();
  const turn = new Turn(abort.signal);
  abort.abort(new Error('gone'));
  await expect(turn.yieldWhenDue()).rejects.toThrow('gone');
});
