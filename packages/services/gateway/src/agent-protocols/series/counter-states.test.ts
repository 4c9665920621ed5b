import { describe, expect, it } from 'vitest';
import { CounterStates } from './counter-states.ts';

const T = 1_000_000;

/** One counter whose values are published one by one, unless `publishes` is false. */
function open() {
  const states = new CounterStates();
  const state = states.create();
  return {
    states,
    state,
    give(seconds: number, value: number, start = 0, publishes = true): number {
      states.begin();
      const rate = states.rate(state, T + seconds * 1_000, value, start === 0 ? 0 : T + start * 1_000);
      const move = states.moves();
      if (publishes) move();
      return rate;
    },
  };
}

describe('the rate of a counter', () => {
  it.each<[string, readonly (readonly [seconds: number, value: number, start?: number])[], number]>([
    [
      'is what was added by the seconds between',
      [
        [0, 100],
        [10, 150],
      ],
      5,
    ],
    ['does not exist for a first value', [[0, 100]], Number.NaN],
    [
      'does not exist for an older value',
      [
        [0, 100],
        [10, 150],
        [5, 120],
      ],
      Number.NaN,
    ],
    [
      'counts from the value before a gap for an older value within it',
      [
        [0, 100],
        [10, 150],
        [40, 300],
        [50, 350],
        [20, 170],
      ],
      2,
    ],
    [
      'counts from the value before several gaps in a row for an older value within the last',
      [
        [0, 100],
        [10, 150],
        [60, 200],
        [90, 210],
        [80, 290],
      ],
      2,
    ],
    [
      'does not exist for an older value that came before the gap',
      [
        [10, 100],
        [20, 150],
        [60, 300],
        [15, 120],
      ],
      Number.NaN,
    ],
    [
      'does not exist for an older value within a gap in which the counter began again',
      [
        [0, 100],
        [10, 150],
        [40, 30],
        [30, 20],
      ],
      Number.NaN,
    ],
    [
      'does not exist for an older value within a gap in which its start moved',
      [
        [0, 100, -100],
        [10, 150, -100],
        [40, 300, 15],
        [30, 200, 15],
      ],
      Number.NaN,
    ],
    [
      'does not exist for an older value more than five minutes after the begin of its gap',
      [
        [0, 100],
        [10, 150],
        [400, 900],
        [390, 880],
      ],
      Number.NaN,
    ],
    [
      'is the same for the last time again',
      [
        [0, 100],
        [10, 150],
        [10, 150],
      ],
      5,
    ],
    [
      'does not exist after a reset',
      [
        [0, 100],
        [10, 20],
      ],
      Number.NaN,
    ],
    [
      'counts from a known start after a reset',
      [
        [0, 100, -100],
        [10, 20, 5],
      ],
      4,
    ],
    [
      'notices a start that moved, although the value grew',
      [
        [0, 100, -100],
        [10, 120, 8],
      ],
      60,
    ],
    [
      'begins again after more than five minutes',
      [
        [0, 100],
        [301, 150],
      ],
      Number.NaN,
    ],
    [
      'is zero where nothing was added',
      [
        [0, 100],
        [10, 100],
      ],
      0,
    ],
  ])('%s', (_, values, expected) => {
    const { give } = open();
    const rates = values.map(([seconds, value, start]) => give(seconds, value, start));
    expect(rates.at(-1)).toBe(expected);
  });

  it('is not changed by a request that was not published', () => {
    const { give } = open();
    give(0, 0);
    give(10, 500, 0, false);
    expect(give(20, 100)).toBe(5);
  });

  it('is given for each of several values of one request', () => {
    const { states, state } = open();
    states.begin();
    expect([0, 10, 20].map((seconds) => states.rate(state, T + seconds * 1_000, seconds * 3, 0))).toEqual([
      Number.NaN,
      3,
      3,
    ]);
  });

  it('takes several values in any order after a gap, and the same ones again', () => {
    const { give } = open();
    for (const seconds of [0, 10, 20]) give(seconds, seconds * 5);
    const late = [60, 40, 30, 70, 50, 40].map((seconds) => give(seconds, seconds * 5));
    expect(late).toEqual([5, 5, 5, 5, 5, 5]);
    expect(give(80, 480)).toBe(13);
  });

  it('is not changed by an older request that is published later', () => {
    const { states, state, give } = open();
    give(0, 0);
    states.begin();
    states.rate(state, T + 10_000, 10, 0);
    const late = states.moves();
    give(20, 40);
    late();
    expect(give(30, 50)).toBe(1);
  });
});

it('a released state is used again, and is not changed by a request of its former series', () => {
  const states = new CounterStates();
  const state = states.create();
  states.begin();
  states.rate(state, T, 100, 0);
  const late = states.moves();
  states.release(state);
  expect(states.create()).toBe(state);
  late();
  states.begin();
  expect(states.rate(state, T + 10_000, 200, 0)).toBeNaN();
});

it('states are kept as their number grows', () => {
  const states = new CounterStates();
  const all = Array.from({ length: 5_000 }, () => states.create());
  states.begin();
  for (const state of all) states.rate(state, T, state, 0);
  states.moves()();
  states.begin();
  expect(all.every((state) => states.rate(state, T + 1_000, state + 2, 0) === 2)).toBe(true);
});

it('gives a state that is used again no gap of its last counter', () => {
  const { states, state, give } = open();
  for (const [seconds, value] of [
    [0, 100],
    [10, 150],
    [40, 300],
  ] as const)
    give(seconds, value);
  expect(give(20, 170)).toBe(2);
  const { bytes } = states;
  states.release(state);
  expect(states.create()).toBe(state);
  give(50, 400);
  expect(give(20, 170)).toBeNaN();
  expect(states.bytes).toBe(bytes);
});

it('counts the memory of gaps and of starts once there is one', () => {
  const { states, give } = open();
  const sizes = [states.bytes];
  give(0, 100);
  give(10, 150);
  sizes.push(states.bytes);
  give(40, 300);
  sizes.push(states.bytes);
  give(50, 400, 45);
  sizes.push(states.bytes);
  const [empty, filled, withGap, withStart] = sizes as [number, number, number, number];
  expect(filled).toBe(empty);
  expect(withGap).toBeGreaterThan(filled);
  expect(withStart).toBeGreaterThan(withGap);
});

it('begins a counter like another one with the start and the gap of that', () => {
  const { states, state, give } = open();
  give(0, 100, -5);
  give(10, 150, -5);
  give(40, 300, -5);
  const copy = states.create(state);
  states.release(state);
  states.begin();
  expect(states.rate(copy, T + 20_000, 170, T - 5_000)).toBe(2);
  expect(states.rate(copy, T + 50_000, 30, T + 45_000)).toBe(6);
});
