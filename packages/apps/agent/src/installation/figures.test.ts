import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { describe, expect, test } from 'vitest';
import { InstallationFigures } from './figures.ts';

const WRITER = { name: 'writer' };
const EVALUATOR = { name: 'evaluator' };
const START = 1_700_000_000_000;

/** Computes metrics from pages; `seconds` are since the start, and a null page is a process that did not answer. */
function watch() {
  const figures = new InstallationFigures();
  return (seconds: number, pages: [source: object, page: string | null][]) =>
    figures.update(
      new Map(pages.map(([source, page]) => [source, page === null ? undefined : readMetrics(page)])),
      { clock: START + seconds * 1_000, monotonic: seconds * 1_000 },
    );
}

const letters = (count: number, started = 1) =>
  `process_start_time_seconds ${started}\ntidewatch_dead_letters_total{consumer="writer"} ${count}`;
const lag = (sum: number, count: number) =>
  `tidewatch_evaluator_lag_seconds_sum ${sum}\ntidewatch_evaluator_lag_seconds_count ${count}`;

describe('tidewatch_lag_seconds', () => {
  test('is the largest lag of writers, and of evaluators averaged over the samples since the last update', () => {
    const update = watch();
    const writers: [object, string][] = [
      [WRITER, 'tidewatch_writer_lag_seconds 0.4'],
      [{}, 'tidewatch_writer_lag_seconds 2.5'],
    ];
    expect(update(0, [...writers, [EVALUATOR, lag(900, 10)]])).toMatchObject({ tidewatch_lag_seconds: 2.5 });
    expect(update(10, [...writers, [EVALUATOR, lag(980, 14)]])).toMatchObject({ tidewatch_lag_seconds: 20 });
    expect(update(20, [...writers, [EVALUATOR, lag(980, 14)]])).toMatchObject({ tidewatch_lag_seconds: 2.5 });
  });

  test('is left out while no process exposes a lag', () => {
    expect(watch()(0, [[WRITER, 'tidewatch_redis_up 1']])).toEqual({ tidewatch_processes_away: 0 });
  });
});

describe('tidewatch_dead_letters_per_minute', () => {
  const RATE = 'tidewatch_dead_letters_per_minute';

  /** For each update from one process: [second, page, the rate after the update]. */
  const STORIES: [
    name: string,
    updates: [second: number, page: string | null, rate: number | undefined][],
  ][] = [
    [
      'does not count dead letters from before the first update',
      [
        [0, letters(7), undefined],
        [10, letters(7), 0],
      ],
    ],
    [
      'counts an increase for one minute',
      [
        [0, letters(0), undefined],
        [10, letters(3), 3],
        [40, letters(3), 3],
        [69, letters(3), 3 / (69 / 60)],
        [70, letters(3), 0],
      ],
    ],
    [
      'is a rate per minute when updates are minutes apart',
      [
        [0, letters(0), undefined],
        [300, letters(10), 2],
      ],
    ],
    [
      'counts the increase of a process that answers again after a gap',
      [
        [0, letters(1), undefined],
        [10, null, undefined],
        [20, letters(2), 1],
      ],
    ],
    [
      'counts a restarted process from zero',
      [
        [0, letters(5), undefined],
        [10, letters(1, START / 1_000 + 5), 1],
      ],
    ],
    [
      'counts two processes behind one address separately',
      [
        [0, letters(5, 1), undefined],
        [10, letters(0, 2), 0],
        [20, letters(5, 1), 0],
        [30, letters(1, 2), 1],
      ],
    ],
    [
      'counts no increase when two processes with the same start time answer in turn',
      [
        [0, letters(5), undefined],
        [10, letters(0), 0],
        [20, letters(5), 0],
        [30, letters(6), 1],
      ],
    ],
  ];
  test.each(STORIES)('%s', (_name, updates) => {
    const update = watch();
    for (const [second, page, rate] of updates)
      expect(update(second, [[WRITER, page]])[RATE], `after ${second} s`).toBe(rate);
  });
});

test('tidewatch_job_failures_per_minute sums all processes and labels', () => {
  const update = watch();
  const page = (a: number, b: number) =>
    `tidewatch_writer_job_failures_total{job="drain"} ${a}\ntidewatch_writer_job_failures_total{job="latest"} ${b}`;
  update(0, [
    [WRITER, page(1, 0)],
    [EVALUATOR, page(0, 0)],
  ]);
  expect(
    update(10, [
      [WRITER, page(2, 1)],
      [EVALUATOR, page(0, 4)],
    ]),
  ).toEqual({ tidewatch_job_failures_per_minute: 6, tidewatch_processes_away: 0 });
});

test('tidewatch_notifications_oldest_seconds is the largest age of all processes', () => {
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

test('tidewatch_processes_away counts processes that do not answer, and is alone when none answers', () => {
  const update = watch();
  update(0, [
    [WRITER, letters(1)],
    [EVALUATOR, null],
  ]);
  expect(
    update(10, [
      [WRITER, null],
      [EVALUATOR, null],
    ]),
  ).toEqual({ tidewatch_processes_away: 2 });
});
