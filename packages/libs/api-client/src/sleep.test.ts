import { expect, it } from 'vitest';
import { sleep } from './sleep.ts';

it('resolves after its time', async () => {
  await expect(sleep(1, new AbortController().signal)).resolves.toBeUndefined();
});

it('rejects with the reason of a signal that aborts before or meanwhile', async () => {
  const reason = new Error('the page was left');
  await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const waiting = sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});
