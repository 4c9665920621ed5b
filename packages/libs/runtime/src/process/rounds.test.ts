import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRounds, type Rounds, type RoundsOptions } from './rounds.ts';

const POLL_MS = 1_000;

describe('createRounds', () => {
  let begun: number[];
  let failures: unknown[];
  let rounds: Rounds;

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 });
    begun = [];
    failures = [];
  });
  afterEach(async () => {
    await rounds.stop();
    vi.useRealTimers();
  });

  /** Starts rounds that record when they begin and then run `work`. */
  function startWith(work: () => Promise<number>, more: Partial<RoundsOptions> = {}): void {
    rounds = createRounds({
      round: () => {
        begun.push(Date.now());
        return work();
      },
      onFailure: (error) => failures.push(error),
      minPauseMs: POLL_MS,
      maxPauseMs: 8_000,
      random: () => 1,
      ...more,
    });
    rounds.start();
  }

  /** Work that runs until the test ends it. */
  function heldWork() {
    const ends: ((error?: Error) => void)[] = [];
    const work = () =>
      new Promise<number>((resolve, reject) => {
        ends.push((error) => (error === undefined ? resolve(POLL_MS) : reject(error)));
      });
    return { work, end: (error?: Error) => ends.shift()?.(error), underWay: () => ends.length };
  }

  it('pauses for as long as a round returns, and not at all for 0', async () => {
    const pauses = [300, 0, -5, 1_000];
    startWith(async () => pauses.shift() ?? 5_000);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(begun).toEqual([0, 300, 300, 300, 1_300]);
  });

  it('ends a pause at a nudge, once', async () => {
    startWith(async () => POLL_MS);
    await vi.advanceTimersByTimeAsync(400);
    rounds.nudge();
    rounds.nudge();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun).toEqual([0, 400, 1_400]);
  });

  it('starts another round after a nudge during a round, and never runs two at once', async () => {
    const { work, end, underWay } = heldWork();
    startWith(work);
    await vi.advanceTimersByTimeAsync(5_000);
    rounds.nudge();
    rounds.start();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([begun, underWay()]).toEqual([[0], 1]);
    end();
    await vi.advanceTimersByTimeAsync(0);
    expect([begun, underWay()]).toEqual([[0, 10_000], 1]);
    const stopped = rounds.stop();
    end();
    await stopped;
  });

  it('backs off up to the maximum pause while rounds fail, and returns to the minimum pause after a success', async () => {
    let fails = true;
    startWith(async () => {
      if (fails) throw new Error('away');
      return POLL_MS;
    });
    await vi.advanceTimersByTimeAsync(31_000);
    expect(begun).toEqual([0, 1_000, 3_000, 7_000, 15_000, 23_000, 31_000]);
    expect(failures).toHaveLength(7);
    fails = false;
    await vi.advanceTimersByTimeAsync(8_000);
    fails = true;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(begun.slice(7)).toEqual([39_000, 40_000, 41_000]);
  });

  it.each([
    [0, 500],
    [0.5, 750],
    [1, 1_000],
  ])('spreads its returns: with %d it waits for %d ms', async (drawn, waited) => {
    startWith(() => Promise.reject(new Error('away')), { random: () => drawn });
    await vi.advanceTimersByTimeAsync(waited - 1);
    expect(begun).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual([0, waited]);
  });

  it('pauses after a failure although it was nudged during the round', async () => {
    const { work, end } = heldWork();
    startWith(work);
    rounds.nudge();
    end(new Error('away'));
    await vi.advanceTimersByTimeAsync(999);
    expect(begun).toEqual([0]);
    rounds.nudge();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 999]);
    const stopped = rounds.stop();
    end();
    await stopped;
  });

  it('stops at the end of the running round, and at once during a pause', async () => {
    const { work, end } = heldWork();
    startWith(work);
    let isOver = false;
    const stopped = rounds.stop().then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([isOver, rounds.isStopped()]).toEqual([false, true]);
    end();
    await stopped;
    expect(begun).toEqual([0]);
    rounds.start();
    await vi.advanceTimersByTimeAsync(0);
    end();
    await vi.advanceTimersByTimeAsync(10);
    await rounds.stop();
    expect(begun).toEqual([0, 60_000]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
