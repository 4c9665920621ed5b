import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { describe, expect, test } from 'vitest';
import { InstallationFigures } from './figures.ts';

const WRITER = { name: 'writer' };
const EVALUATOR = { name: 'evaluator' };
const START = 1_700_000_000_000;

/** Looks at processes in turn; `seconds` are since the start, and a page that is null is one that did not come. */
function watch() {
  const figures = new InstallationFigures();
  return (seconds: number, pages: [source: object, page: string | null][]) =>
    figures.look(
      new Map(pages.map(([source, page]) => [source, page === null ? undefined : readMetrics(page)])),
      { clock: START + seconds * 1_000, monotonic: seconds * 1_000 },
    );
}

const letters = (count: number, started = 1) =>
  `process_start_time_seconds ${started}\ntidewatch_dead_letters_total{consumer="writer"} ${count}`;
const lag = (sum: number, count: number) =>
  `tidewatch_evaluator_lag_seconds_sum ${sum}\ntidewatch_evaluator_lag_seconds_count ${count}`;

describe('the lag', () => {
  test('is the worst of writers, and of evaluators over what they judged since the last look', () => {
    const look = watch();
    const writers: [object, string][] = [
      [WRITER, 'tidewatch_writer_lag_seconds 0.4'],
      [{}, 'tidewatch_writer_lag_seconds 2.5'],
    ];
    expect(look(0, [...writers, [EVALUATOR, lag(900, 10)]])).toMatchObject({ tidewatch_lag_seconds: 2.5 });
    expect(look(10, [...writers, [EVALUATOR, lag(980, 14)]])).toMatchObject({ tidewatch_lag_seconds: 20 });
    expect(look(20, [...writers, [EVALUATOR, lag(980, 14)]])).toMatchObject({ tidewatch_lag_seconds: 2.5 });
  });

  test('is unknown where nobody shows one', () => {
    expect(watch()(0, [[WRITER, 'tidewatch_redis_up 1']])).toEqual({ tidewatch_processes_away: 0 });
  });
});

describe('rates', () => {
  const RATE = 'tidewatch_dead_letters_per_minute';

  /** The rate at each look of one process: [second, page, rate]. */
  const STORIES: [name: string, looks: [second: number, page: string | null, rate: number | undefined][]][] =
    [
      [
        'what was before the first look is not told',
        [
          [0, letters(7), undefined],
          [10, letters(7), 0],
        ],
      ],
      [
        'a rise is told for a minute',
        [
          [0, letters(0), undefined],
          [10, letters(3), 3],
          [40, letters(3), 3],
          [69, letters(3), 3 / (69 / 60)],
          [70, letters(3), 0],
        ],
      ],
      [
        'looks that are far apart tell a rate a minute',
        [
          [0, letters(0), undefined],
          [300, letters(10), 2],
        ],
      ],
      [
        'a process that was away is told once it is back',
        [
          [0, letters(1), undefined],
          [10, null, undefined],
          [20, letters(2), 1],
        ],
      ],
      [
        'one that started anew counts from zero',
        [
          [0, letters(5), undefined],
          [10, letters(1, START / 1_000 + 5), 1],
        ],
      ],
      [
        'another one behind the same address is another one',
        [
          [0, letters(5, 1), undefined],
          [10, letters(0, 2), 0],
          [20, letters(5, 1), 0],
          [30, letters(1, 2), 1],
        ],
      ],
      [
        'two that started in the same second are no rise where nothing rose',
        [
          [0, letters(5), undefined],
          [10, letters(0), 0],
          [20, letters(5), 0],
          [30, letters(6), 1],
        ],
      ],
    ];
  test.each(STORIES)('%s', (_name, looks) => {
    const look = watch();
    for (const [second, page, rate] of looks)
      expect(look(second, [[WRITER, page]])[RATE], `after ${second} s`).toBe(rate);
  });

  test('of all processes and labels together', () => {
    const look = watch();
    const page = (a: number, b: number) =>
      `tidewatch_writer_job_failures_total{job="drain"} ${a}\ntidewatch_writer_job_failures_total{job="latest"} ${b}`;
    look(0, [
      [WRITER, page(1, 0)],
      [EVALUATOR, page(0, 0)],
    ]);
    expect(
      look(10, [
        [WRITER, page(2, 1)],
        [EVALUATOR, page(0, 4)],
      ]),
    ).toEqual({
      tidewatch_job_failures_per_minute: 6,
      tidewatch_processes_away: 0,
    });
  });
});

test('notifications: the oldest of all', () => {
  const oldest = (age: number) => `tidewatch_notifications_oldest_seconds ${age}`;
  expect(
    watch()(0, [
      [WRITER, oldest(3)],
      [EVALUATOR, oldest(75.5)],
    ]),
  ).toMatchObject({
    tidewatch_notifications_oldest_seconds: 75.5,
  });
});

test('processes that do not answer are counted, and of nobody nothing else is known', () => {
  const look = watch();
  look(0, [
    [WRITER, letters(1)],
    [EVALUATOR, null],
  ]);
  expect(
    look(10, [
      [WRITER, null],
      [EVALUATOR, null],
    ]),
  ).toEqual({ tidewatch_processes_away: 2 });
});
