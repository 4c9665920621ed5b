import { expect, test } from 'vitest';
import { Turn } from './turn.ts';

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('synchronous work continues without a yield until its time is used up', async () => {
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

test('one yielded task continues in each round of the event loop, in order', async () => {
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

test('work ends with the reason of its signal once the signal is aborted', async () => {
  const abort = new AbortController();
  const turn = new Turn(abort.signal);
  abort.abort(new Error('gone'));
  await expect(turn.yieldWhenDue()).rejects.toThrow('gone');
});
