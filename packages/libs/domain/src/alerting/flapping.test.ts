import { expect, test } from 'vitest';
import { type FlapLog, noteFlap } from './flapping.ts';

const MINUTE = 60_000;

/** For flaps at these minutes: at which of them it begins to flap. */
function beginnings(...minutes: number[]): number[] {
  let log: FlapLog | null = null;
  const begun: number[] = [];
  for (const minute of minutes) {
    const noted = noteFlap(log, minute * MINUTE);
    log = noted.log;
    if (noted.begins) begun.push(minute);
  }
  return begun;
}

test.each<[string, number[], number[]]>([
  ['two are not flapping', [0, 10], []],
  ['three within an hour are', [0, 10, 59], [59]],
  ['three in more than an hour are not', [0, 10, 60], []],
  ['it begins once', [0, 10, 20, 30, 40], [20]],
  ['it goes on as long as it is not calm for an hour', [0, 10, 20, 79, 138, 140], [20]],
  ['after an hour of calm it may begin anew', [0, 10, 20, 80, 90, 100], [20, 100]],
])('%s', (_, minutes, wanted) => {
  expect(beginnings(...minutes)).toEqual(wanted);
});

test('a log is bounded', () => {
  let log: FlapLog | null = null;
  for (let i = 0; i < 100; i += 1) log = noteFlap(log, i * MINUTE).log;
  expect(log?.times).toHaveLength(3);
});
