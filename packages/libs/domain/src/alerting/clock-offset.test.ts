import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBackfilled } from './backfill.ts';
import { ClockOffset, wrongClockSeconds } from './clock-offset.ts';
import { isSkewed, skewSeconds } from './skew.ts';

const ten = (difference: (index: number) => number) =>
  Array.from({ length: 10 }, (_, index) => difference(index));

describe('the clock offset', () => {
  test.each<[string, number[], number]>([
    ['is 0 before any request', [], 0],
    ['is 0 before ten requests', ten(() => 20 * MINUTE_MS).slice(1), 0],
    [
      'is the median of ten requests that agree',
      ten((index) => 20 * MINUTE_MS + index),
      20 * MINUTE_MS + 4.5,
    ],
    ['may be negative', ten(() => -2 * MINUTE_MS), -2 * MINUTE_MS],
    ['is known where they differ by exactly a minute', ten((index) => (index === 0 ? MINUTE_MS : 0)), 0],
    ['is 0 where they differ by more', ten((index) => 20 * MINUTE_MS + (index === 0 ? MINUTE_MS + 1 : 0)), 0],
    ['follows the last ten only', [0, 0, 0, ...ten(() => 20 * MINUTE_MS)], 20 * MINUTE_MS],
    ['is 0 again while a clock is being set', [...ten(() => 20 * MINUTE_MS), 0], 0],
    ['is 0 while a queue is emptied', ten((index) => (20 - index) * MINUTE_MS), 0],
  ])('%s', (_, differences, wanted) => {
    const offset = new ClockOffset();
    for (const difference of differences) offset.observe(1_000_000_000 + difference, 1_000_000_000);
    expect(offset.ms).toBe(wanted);
  });

  test('keeps the offset from before a restart until ten requests have arrived', () => {
    const offset = new ClockOffset(20 * MINUTE_MS);
    for (let count = 1; count <= 9; count += 1) offset.observe(0, 0);
    expect(offset.ms).toBe(20 * MINUTE_MS);
    offset.observe(0, 0);
    expect(offset.ms).toBe(0);
  });
});

describe('a clock that is set back', () => {
  const START = 1_000_000_000_000;
  type Request = readonly [receivedAt: number, time: number];

  /**
   * Passes the requests of a host to a new ClockOffset. Returns the index of each request that shows that the clock of
   * the host was set back, and by how many ms (below 0) earlier sample times move.
   */
  function steps(requests: readonly Request[]): [index: number, step: number][] {
    const offset = new ClockOffset();
    return requests.flatMap(([receivedAt, time], index): [number, number][] => {
      const step = offset.observe(receivedAt, time);
      return step === 0 ? [] : [[index, step]];
    });
  }
  const every = (seconds: number, count: number, from: number, behind: number): Request[] =>
    Array.from({ length: count }, (_, i) => [
      from + i * seconds * 1_000,
      from + i * seconds * 1_000 - behind,
    ]);
  const live = every(10, 12, START, 0);
  const after = START + 12 * 10_000;

  test.each<[string, Request[], [number, number][]]>([
    [
      'is found by the third request that keeps pace',
      [...live, ...every(10, 6, after, HOUR_MS)],
      [[14, -HOUR_MS]],
    ],
    [
      'is found by the tenth request where they come faster than their times',
      [...live, ...Array.from({ length: 12 }, (_, i): Request => [after + i, after - HOUR_MS + i * 1_000])],
      [[21, -HOUR_MS + 4_495.5]],
    ],
    ['by years is found alike', [...live, ...every(10, 3, after, 9_000 * DAY_MS)], [[14, -9_000 * DAY_MS]]],
    [
      'twice is found twice',
      [...live, ...every(10, 6, after, HOUR_MS), ...every(10, 6, after + 60_000, 3 * HOUR_MS)],
      [
        [14, -HOUR_MS],
        [20, -2 * HOUR_MS],
      ],
    ],
    [
      'is not seen in a queue that is emptied after an outage',
      [
        ...live,
        ...Array.from(
          { length: 60 },
          (_, i): Request => [after + 10 * MINUTE_MS + i * 50, after + i * 10_000],
        ),
        ...every(10, 20, after + 11 * MINUTE_MS, 0),
      ],
      [],
    ],
    [
      'is not seen in a backlog that comes beside live samples',
      [
        ...live,
        ...every(10, 40, after, 0).flatMap(([at, time], i): Request[] => [
          [at, time],
          [at + 1, after - HOUR_MS + i * 10_000],
        ]),
      ],
      [],
    ],
    [
      'is not seen in a request that is sent again and again',
      [...live, ...Array.from({ length: 30 }, (_, i): Request => [after + i * 1_500, START + 10_000])],
      [],
    ],
    [
      'is not seen in one late request, or two',
      [...live, ...every(10, 2, after, HOUR_MS), ...every(10, 9, after + 20_000, 0)],
      [],
    ],
    ['is not seen in a clock that is set forward', [...live, ...every(10, 12, after, -HOUR_MS / 30)], []],
  ])('%s', (_, requests, wanted) => {
    expect(steps(requests)).toEqual(wanted);
  });

  test('the new offset is known at once', () => {
    const offset = new ClockOffset();
    for (const [receivedAt, time] of [...live, ...every(10, 3, after, HOUR_MS)])
      offset.observe(receivedAt, time);
    expect(offset.ms).toBe(HOUR_MS);
    expect(wrongClockSeconds(offset.ms)).toBe(-3_600);
    expect(wrongClockSeconds(2 * MINUTE_MS)).toBeNull();
  });

  test('is found by the first requests after a restart, as if the first followed the newest sample directly', () => {
    const offset = new ClockOffset();
    offset.continueFrom(after - 10_000);
    const moved = every(10, 4, after + 5 * MINUTE_MS, HOUR_MS).map(([at, time]) => offset.observe(at, time));
    expect(moved).toEqual([0, 0, -HOUR_MS + 5 * MINUTE_MS + 10_000, 0]);
    expect(offset.newest).toBe(after + 5 * MINUTE_MS + 30_000 - HOUR_MS);
  });

  test('is not seen after a restart in requests that go on from the newest sample', () => {
    const offset = new ClockOffset();
    offset.continueFrom(after - 10_000);
    for (const [at, time] of every(10, 20, after + 5 * MINUTE_MS, 5 * MINUTE_MS + 10_000))
      expect(offset.observe(at, time)).toBe(0);
  });

  test('moves no times where it was ahead and no sample was evaluated at the time ahead', () => {
    const offset = new ClockOffset();
    for (const [receivedAt, time] of live) offset.observe(receivedAt, time);
    for (const [receivedAt, time] of every(10, 3, after, -HOUR_MS)) offset.observe(receivedAt, time, false);
    for (const [receivedAt, time] of every(10, 9, after + 30_000, 0))
      expect(offset.observe(receivedAt, time)).toBe(0);
  });

  test('moves times so that no later sample of the host counts as late, whatever its queue contained', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 2, max: 30 }),
        fc.integer({ min: 120, max: 1_000_000 }),
        (interval, before, setBack) => {
          const offset = new ClockOffset();
          let newest = Number.NEGATIVE_INFINITY;
          let at = START;
          let late = 0;
          for (let i = 0; i < before + 40; i += 1) {
            at += interval * 1_000;
            const time = i < before ? at : at - setBack * 1_000;
            if (time < newest) late += 1;
            else newest = time;
            const step = offset.observe(at, time);
            if (step < 0) newest = Math.min(newest + step, time);
          }
          expect(late).toBeLessThanOrEqual(10);
        },
      ),
    );
  });
});

describe('backfill', () => {
  test.each<[string, age: number, stalled: number, offset: number, boolean]>([
    ['a live sample', 0, 0, 0, false],
    ['a sample from the future', -MINUTE_MS, 0, 0, false],
    ['exactly 15 minutes old', 15 * MINUTE_MS, 0, 0, false],
    ['older', 15 * MINUTE_MS + 1, 0, 0, true],
    ['older, but ingest itself was stalled', 25 * MINUTE_MS, 10 * MINUTE_MS, 0, false],
    ['older, beyond the stall', 25 * MINUTE_MS + 1, 10 * MINUTE_MS, 0, true],
    ['older by a clock that is behind', 30 * MINUTE_MS, 0, 20 * MINUTE_MS, false],
    ['older than a clock that is behind explains', 36 * MINUTE_MS, 0, 20 * MINUTE_MS, true],
    ['younger by a clock that is ahead', 14 * MINUTE_MS, 0, -2 * MINUTE_MS, true],
  ])('%s', (_, age, stalled, offset, wanted) => {
    expect(isBackfilled(1_000_000_000 - age, 1_000_000_000, stalled, offset)).toBe(wanted);
  });
});

describe('skew', () => {
  test.each<[string, ahead: number, seconds: number | null]>([
    ['a sample of the past', -86_400_000, null],
    ['exactly 5 minutes ahead', 5 * MINUTE_MS, null],
    ['further ahead', 5 * MINUTE_MS + 500, 300.5],
    ['a day ahead', 86_400_000, 86_400],
  ])('%s', (_, ahead, seconds) => {
    expect(isSkewed(1_000_000_000 + ahead, 1_000_000_000)).toBe(seconds !== null);
    expect(skewSeconds(1_000_000_000 + ahead, 1_000_000_000)).toBe(seconds);
  });
});
