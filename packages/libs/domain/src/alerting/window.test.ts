import type { Transform } from '@tidewatch/contracts/rules/rule-terms';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Window } from './window.ts';

const KINDS = ['average', 'minimum', 'maximum', 'change', 'rate_per_minute'] as const;

function over(
  transform: Transform,
  samples: readonly (readonly [minute: number, value: number])[],
  metric = 'm',
) {
  const window = new Window(transform, metric);
  return samples.map(([minute, value]) => window.take(minute * MINUTE_MS, value));
}

/** Computes a derived value from all samples directly, as a reference for the window. */
function naive(transform: Transform, samples: readonly (readonly [number, number])[]): number {
  const values = samples.map(([, value]) => value);
  const [first, last] = [samples[0], samples.at(-1)] as [[number, number], [number, number]];
  switch (transform.kind) {
    case 'average':
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    case 'minimum':
      return Math.min(...values);
    case 'maximum':
      return Math.max(...values);
    case 'change':
      return last[1] - first[1];
    case 'rate_per_minute':
      return (last[1] - first[1]) / (last[0] - first[0]);
    case 'forecast': {
      const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
      const at = mean(samples.map(([minute]) => minute));
      const of = mean(values);
      const slope =
        samples.reduce((sum, [minute, value]) => sum + (minute - at) * (value - of), 0) /
        samples.reduce((sum, [minute]) => sum + (minute - at) ** 2, 0);
      return of + slope * (last[0] + transform.ahead_minutes - at);
    }
  }
}

describe('a counter that begins again', () => {
  const CHANGE: Transform = { kind: 'change', over_minutes: 10 };
  const RATE: Transform = { kind: 'rate_per_minute', over_minutes: 10 };
  /** Samples of a counter that rises by 10 a minute and restarts from 0 in the given minutes. */
  const counting = (resets: readonly number[], start = 1_000) => {
    let value = start;
    return Array.from({ length: 9 }, (_, minute): [number, number] => {
      value = resets.includes(minute) ? 0 : value + 10;
      return [minute, value];
    });
  };

  test.each<[string, Transform, [number, number][], number]>([
    ['rises on as if it had not', RATE, counting([]), 10],
    ['loses only what it counted in the moment', RATE, counting([4]), 70 / 8],
    ['twice', RATE, counting([3, 6]), 60 / 8],
    [
      'at another value than 0',
      CHANGE,
      [
        [0, 100],
        [3, 150],
        [6, 20],
        [8, 30],
      ],
      80,
    ],
    [
      'with a value of the same time that replaces it',
      CHANGE,
      [
        [0, 100],
        [6, 5],
        [6, 150],
        [8, 160],
      ],
      60,
    ],
    [
      'at a value of 32 bits that overflows',
      CHANGE,
      [
        [0, 4_294_967_000],
        [8, 200],
      ],
      200,
    ],
  ])('%s', (_, transform, samples, wanted) => {
    expect(over(transform, samples, 'errors_total').at(-1)).toBeCloseTo(wanted, 9);
  });

  test('only a metric whose name marks it as a counter is treated as one; the change of others may be negative', () => {
    expect(
      over(
        CHANGE,
        [
          [0, 100],
          [8, 20],
        ],
        'queue_length',
      ),
    ).toEqual([null, -80]);
    expect(
      over(
        { kind: 'minimum', over_minutes: 10 },
        [
          [0, 100],
          [8, 20],
        ],
        'errors_total',
      ),
    ).toEqual([null, 20]);
  });

  test('never has a negative rate', () => {
    const values = fc.array(fc.nat(1_000), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(values, (counts) => {
        const rates = over(
          RATE,
          counts.map((value, minute) => [minute, value]),
          'errors_total',
        );
        for (const rate of rates) expect(rate ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('a window', () => {
  test('a window has no value before half of it is covered', () => {
    const transform: Transform = { kind: 'average', over_minutes: 10 };
    expect(
      over(transform, [
        [0, 1],
        [4, 2],
        [4.9, 3],
        [5, 6],
      ]),
    ).toEqual([null, null, null, 3]);
  });

  test.each<[Transform, number]>([
    [{ kind: 'average', over_minutes: 10 }, 7.5],
    [{ kind: 'minimum', over_minutes: 10 }, 0],
    [{ kind: 'maximum', over_minutes: 10 }, 20],
    [{ kind: 'change', over_minutes: 10 }, -10],
    [{ kind: 'rate_per_minute', over_minutes: 10 }, -1],
  ])('%j', (transform, wanted) => {
    expect(
      over(transform, [
        [0, 10],
        [2, 20],
        [9, 0],
        [10, 0],
      ]).at(-1),
    ).toBe(wanted);
  });

  test('the forecast of a straight line lies on that line', () => {
    const line = Array.from({ length: 61 }, (_, minute) => [minute, 40 + minute / 2] as const);
    expect(over({ kind: 'forecast', over_minutes: 60, ahead_minutes: 60 }, line).at(-1)).toBeCloseTo(100, 9);
  });

  test('drops the samples that are older than its length', () => {
    const transform: Transform = { kind: 'maximum', over_minutes: 10 };
    const samples = [[0, 100], ...Array.from({ length: 20 }, (_, i) => [i + 1, 5])] as [number, number][];
    expect(over(transform, samples).at(-1)).toBe(5);
  });

  test('a sample of the same time replaces the last one, and an older one is ignored', () => {
    const transform: Transform = { kind: 'average', over_minutes: 10 };
    expect(
      over(transform, [
        [0, 10],
        [6, 100],
        [6, 20],
        [3, 1_000],
        [10, 30],
      ]),
    ).toEqual([...[null, 55, 15, null, 20]]);
  });

  test('a value that overflows is null', () => {
    expect(
      over({ kind: 'change', over_minutes: 2 }, [
        [0, -1.7e308],
        [2, 1.7e308],
      ]),
    ).toEqual([null, null]);
  });

  test('gives the same value as a computation from all samples', () => {
    const transform = fc.oneof(
      fc.constantFrom(...KINDS).map((kind): Transform => ({ kind, over_minutes: 60 })),
      fc.constant<Transform>({ kind: 'forecast', over_minutes: 60, ahead_minutes: 30 }),
    );
    const samples = fc
      .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 3_540 }), fc.integer({ min: -100, max: 100 })), {
        minLength: 3,
        maxLength: 60,
        selector: ([second]) => second,
      })
      .map((list) =>
        list.toSorted(([a], [b]) => a - b).map(([second, value]) => [second / 60, value] as const),
      );
    fc.assert(
      fc.property(transform, samples, (kind, list) => {
        const derived = over(kind, list).at(-1) as number | null;
        const [first, last] = [list[0], list.at(-1)] as [[number, number], [number, number]];
        // Compared in whole seconds, because a difference in minutes may be too small by a rounding error.
        if (Math.round((last[0] - first[0]) * 60) < 1_800) expect(derived).toBeNull();
        else expect(derived).toBeCloseTo(naive(kind, list), 6);
      }),
      { numRuns: 1_000 },
    );
  });
});
