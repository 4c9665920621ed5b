import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf } from './runs.ts';
import { type Hour, LOUD, QUIET, stretchesOf, UNCLEAR } from './stretches.ts';

/** Generated hours in order, with gaps. */
const hours = fc
  .array(
    fc.record({
      gap: fc.constantFrom(0, 0, 0, 1, 3),
      loudness: fc.constantFrom(QUIET, QUIET, QUIET, UNCLEAR, LOUD),
      values: fc.integer({ min: 1, max: 60 }),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let start = 0;
    return steps.map(({ gap, loudness, values }): Hour => {
      start += (1 + gap) * HOUR_MS;
      return { start, loudness, values };
    });
  });

test('hours without a possible breach change no stretch unless they are next to a run', () => {
  fc.assert(
    fc.property(hours, (all) => {
      const runs = runsOf(all);
      const matters = new Set<number>();
      for (const { from, to } of runs) {
        matters.add(from - HOUR_MS);
        const next = all.find(({ start }) => start >= to);
        if (next) matters.add(next.start);
      }
      const kept = all.filter(({ start, loudness }) => loudness !== QUIET || matters.has(start));
      const reach = { windowMs: 0, keepFiringMs: 0 };
      expect(stretchesOf(kept, reach)).toEqual(stretchesOf(all, reach));
      // The hour before a stretch gives the usual interval.
      for (const { from } of stretchesOf(all, reach))
        expect(kept.find(({ start }) => start === from - HOUR_MS)).toEqual(
          all.find(({ start }) => start === from - HOUR_MS),
        );
      expect(runsOf(kept)).toEqual(runs);
    }),
    { numRuns: 500 },
  );
});
