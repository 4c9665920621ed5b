import { describe, expect, test } from 'vitest';
import { isBackfilled } from './backfill.ts';
import { ClockOffset } from './clock-offset.ts';
import { isSkewed, skewSeconds } from './skew.ts';

const MINUTE = 60_000;
const ten = (difference: (index: number) => number) =>
  Array.from({ length: 10 }, (_, index) => difference(index));

describe('the clock offset', () => {
  test.each<[string, number[], number]>([
    ['is 0 before any request', [], 0],
    ['is 0 before ten requests', ten(() => 20 * MINUTE).slice(1), 0],
    ['is the median of ten requests that agree', ten((index) => 20 * MINUTE + index), 20 * MINUTE + 4.5],
    ['may be negative', ten(() => -2 * MINUTE), -2 * MINUTE],
    ['is known where they differ by exactly a minute', ten((index) => (index === 0 ? MINUTE : 0)), 0],
    ['is 0 where they differ by more', ten((index) => 20 * MINUTE + (index === 0 ? MINUTE + 1 : 0)), 0],
    ['follows the last ten only', [0, 0, 0, ...ten(() => 20 * MINUTE)], 20 * MINUTE],
    ['is 0 again while a clock is being set', [...ten(() => 20 * MINUTE), 0], 0],
    ['is 0 while a queue is emptied', ten((index) => (20 - index) * MINUTE), 0],
  ])('%s', (_, differences, wanted) => {
    const offset = new ClockOffset();
    for (const difference of differences) offset.observe(1_000_000_000 + difference, 1_000_000_000);
    expect(offset.ms).toBe(wanted);
  });

  test('goes on with the offset known before a restart until ten requests were seen', () => {
    const offset = new ClockOffset(20 * MINUTE);
    for (let count = 1; count <= 9; count += 1) offset.observe(0, 0);
    expect(offset.ms).toBe(20 * MINUTE);
    offset.observe(0, 0);
    expect(offset.ms).toBe(0);
  });
});

describe('backfill', () => {
  test.each<[string, age: number, stalled: number, offset: number, boolean]>([
    ['a live sample', 0, 0, 0, false],
    ['a sample from the future', -MINUTE, 0, 0, false],
    ['exactly 15 minutes old', 15 * MINUTE, 0, 0, false],
    ['older', 15 * MINUTE + 1, 0, 0, true],
    ['older, but ingest itself was stalled', 25 * MINUTE, 10 * MINUTE, 0, false],
    ['older, beyond the stall', 25 * MINUTE + 1, 10 * MINUTE, 0, true],
    ['older by a clock that is behind', 30 * MINUTE, 0, 20 * MINUTE, false],
    ['older than a clock that is behind explains', 36 * MINUTE, 0, 20 * MINUTE, true],
    ['younger by a clock that is ahead', 14 * MINUTE, 0, -2 * MINUTE, true],
  ])('%s', (_, age, stalled, offset, wanted) => {
    expect(isBackfilled(1_000_000_000 - age, 1_000_000_000, stalled, offset)).toBe(wanted);
  });
});

describe('skew', () => {
  test.each<[string, ahead: number, seconds: number | null]>([
    ['a sample of the past', -86_400_000, null],
    ['exactly 5 minutes ahead', 5 * MINUTE, null],
    ['further ahead', 5 * MINUTE + 500, 300.5],
    ['a day ahead', 86_400_000, 86_400],
  ])('%s', (_, ahead, seconds) => {
    expect(isSkewed(1_000_000_000 + ahead, 1_000_000_000)).toBe(seconds !== null);
    expect(skewSeconds(1_000_000_000 + ahead, 1_000_000_000)).toBe(seconds);
  });
});
