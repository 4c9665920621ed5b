import { expect, test } from 'vitest';
import { Places } from './places.ts';

test('those who wait enter in their order, and those who give up leave the queue', async () => {
  const places = new Places(1);
  const never = new AbortController().signal;
  const order: string[] = [];
  const leave = await places.enter(never);
  expect(places.isFull).toBe(true);
  const impatient = new AbortController();
  const enter = (name: string, signal: AbortSignal) =>
    places.enter(signal).then(
      (giveBack) => {
        order.push(name);
        giveBack();
      },
      (reason: unknown) => order.push(`${name}: ${reason}`),
    );
  const all = [enter('first', never), enter('second', impatient.signal), enter('third', never)];
  impatient.abort('gone');
  await all[1];
  leave();
  await Promise.all(all);
  expect(order).toEqual(['second: gone', 'first', 'third']);
  expect(places.isFull).toBe(false);
  await expect(places.enter(impatient.signal)).rejects.toBe('gone');
});
