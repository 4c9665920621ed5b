import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasRhythm, isSilent, maxSilenceMs, PipelineClock } from './silence.ts';

describe('the pipeline clock', () => {
  test.each<[string, ticks: number[], wanted: number]>([
    ['begins at 0', [], 0],
    ['stands at its first heartbeat', [1_000_000], 0],
    ['runs with the heartbeats', [0, 1_000, 2_000, 3_050], 3_050],
    ['counts at most two seconds between two', [0, 1_000, 10 * MINUTE_MS, 10 * MINUTE_MS + 1_000], 4_000],
    ['stands still where a heartbeat comes twice', [0, 1_000, 1_000], 1_000],
    ['counts no second twice where heartbeats cross', [0, 2_000, 1_000, 2_000, 3_000], 3_000],
    ['goes on where the clock was set back', [100_000, 101_000, 50_000, 51_000], 2_000],
  ])('%s', (_, ticks, wanted) => {
    const clock = new PipelineClock();
    for (const at of ticks) expect(clock.tick(at)).toBe(clock.value);
    expect(clock.value).toBe(wanted);
  });

  test('never runs backwards, nor faster than two seconds a heartbeat', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100_000 })), (ticks) => {
        const clock = new PipelineClock();
        for (const at of ticks) {
          const before = clock.value;
          const step = clock.tick(at) - before;
          expect(step >= 0 && step <= 2_000).toBe(true);
        }
      }),
    );
  });
});

describe('silence', () => {
  test.each<[string, quiet: number, interval: number, boolean]>([
    ['just seen', 0, 10_000, false],
    ['quiet for less than three minutes', 3 * MINUTE_MS - 1, 10_000, false],
    ['quiet for three minutes', 3 * MINUTE_MS, 10_000, true],
    ['quiet for three minutes, interval unknown', 3 * MINUTE_MS, 0, true],
    ['quiet for less than three slow intervals', 15 * MINUTE_MS - 1, 5 * MINUTE_MS, false],
    ['quiet for three slow intervals', 15 * MINUTE_MS, 5 * MINUTE_MS, true],
  ])('%s', (_, quiet, interval, wanted) => {
    expect(isSilent(50_000 + quiet, 50_000, interval)).toBe(wanted);
  });

  test('no host is silent after ten minutes in which the pipeline stood still', () => {
    const clock = new PipelineClock();
    clock.tick(0);
    const lastSeen = clock.tick(1_000);
    clock.tick(1_000 + 10 * MINUTE_MS);
    expect(isSilent(clock.value, lastSeen, 10_000)).toBe(false);
  });

  test('a host is silent after three minutes at the earliest', () => {
    expect([0, MINUTE_MS, 2 * MINUTE_MS].map(maxSilenceMs)).toEqual([
      3 * MINUTE_MS,
      3 * MINUTE_MS,
      6 * MINUTE_MS,
    ]);
  });
});

describe('the rhythm of a host', () => {
  test.each<[string, firstToLast: number, interval: number, boolean]>([
    ['is unknown after one payload', 0, 0, false],
    ['is unknown after two payloads, an hour apart', 60 * MINUTE_MS, 0, false],
    ['is unknown while its payloads came within half a minute', 29_999, 5_000, false],
    ['is known once its payloads came over half a minute', 30_000, 10_000, true],
    ['is known of a host that sends every hour', 120 * MINUTE_MS, 60 * MINUTE_MS, true],
  ])('%s', (_, firstToLast, interval, wanted) => {
    expect(hasRhythm(1_800_000_000_000, 1_800_000_000_000 + firstToLast, interval)).toBe(wanted);
  });
});
