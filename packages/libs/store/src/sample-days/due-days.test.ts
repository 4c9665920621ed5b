import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import { DueDays } from './due-days.ts';
import type { EndedDay } from './ended-days.ts';

const DAY = Date.UTC(2026, 10, 20);
const ENDED = DAY + DAY_MS + 2 * HOUR_MS;
const ended: EndedDay = { day: DAY, isBegun: false, isEmpty: false, written: 7 };

const cases: [claim: string, seen: [minutes: number, day: EndedDay][], isDue: boolean][] = [
  ['a day seen for the first time is not closed', [[0, ended]], false],
  [
    'a day to which nothing was written for a quarter of an hour is closed',
    [
      [0, ended],
      [15, ended],
    ],
    true,
  ],
  [
    'a day to which something was written since is not closed',
    [
      [0, ended],
      [14, { ...ended, written: 8 }],
      [28, { ...ended, written: 8 }],
    ],
    false,
  ],
  [
    'counts that begin at zero again, as after a crash of the server, count as a change',
    [
      [0, ended],
      [10, { ...ended, written: 0 }],
      [20, { ...ended, written: 0 }],
    ],
    false,
  ],
  ['a day of which some blocks are closed is closed to its end', [[0, { ...ended, isBegun: true }]], true],
  [
    'an empty day is not closed as soon as others',
    [
      [0, { ...ended, isEmpty: true, written: 0 }],
      [1_439, { ...ended, isEmpty: true, written: 0 }],
    ],
    false,
  ],
  ['an empty day is closed a day later', [[1_440, { ...ended, isEmpty: true, written: 0 }]], true],
  [
    'a day whose samples still come is closed a day later',
    [
      [1_439, ended],
      [1_440, { ...ended, written: 9 }],
    ],
    true,
  ],
];

it.each(cases)('%s', (_, seen, isDue) => {
  const due = new DueDays(15 * MINUTE_MS);
  const found = seen.map(([minutes, day]) => due.of([day], ENDED + minutes * MINUTE_MS));
  expect(found.at(-1)).toEqual(isDue ? [DAY] : []);
});

it('each day waits for itself, and days that are due keep their order', () => {
  const due = new DueDays(15 * MINUTE_MS);
  const second = { ...ended, day: DAY + DAY_MS };
  const now = ENDED + DAY_MS;
  expect(due.of([ended, second], now)).toEqual([DAY]);
  expect(due.of([ended, second], now + 15 * MINUTE_MS)).toEqual([DAY, DAY + DAY_MS]);
});
