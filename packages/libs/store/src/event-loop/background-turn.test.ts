import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BackgroundTurn } from './background-turn.ts';
import { noteServedRequest } from './served-requests.ts';

// The clock advances only where the test says so, and other tests of this process may have noted requests by another one.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  noteServedRequest();
  vi.advanceTimersByTime(1_000);
});
afterEach(() => vi.useRealTimers());

const rounds = async (count: number) => {
  for (let round = 0; round < count; round += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A turn that has worked for as long, and the state of its yield. */
function yieldAfter(workedMs: number, turn = new BackgroundTurn()) {
  vi.advanceTimersByTime(workedMs);
  const state = { isOver: turn.isOver, hasContinued: false, turn, ended: Promise.resolve() };
  state.ended = turn.yieldWhenDue().then(() => {
    state.hasContinued = true;
  });
  return state;
}

test('background work continues in the next round of the event loop while no requests are served', async () => {
  const state = yieldAfter(6);
  await rounds(2);
  expect(state).toMatchObject({ isOver: true, hasContinued: true });
});

test('background work pauses for as long as it worked while requests are served, and then works for as long as the pause took', async () => {
  vi.advanceTimersByTime(1_000);
  noteServedRequest();
  const state = yieldAfter(5.5);
  await vi.advanceTimersByTimeAsync(4);
  await rounds(3);
  expect(state).toMatchObject({ isOver: true, hasContinued: false });
  await vi.advanceTimersByTimeAsync(1);
  await state.ended;
  noteServedRequest();
  const next = yieldAfter(3, state.turn);
  expect(next.isOver).toBe(false);
  await next.ended;
  const last = yieldAfter(2.5, state.turn);
  expect(last.isOver).toBe(true);
  await vi.advanceTimersByTimeAsync(6);
  await last.ended;
});

test('background work pauses no more once requests ended a while ago', async () => {
  noteServedRequest();
  vi.advanceTimersByTime(300);
  const state = yieldAfter(6);
  await rounds(2);
  expect(state).toMatchObject({ isOver: true, hasContinued: true });
});
