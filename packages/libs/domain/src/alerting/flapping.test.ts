import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { expect, test } from 'vitest';
import { type FlapLog, noteFlap } from './flapping.ts';

const SPELLED = { w: 'warning', c: 'critical', i: 'info' } as const;

/** For flaps at these minutes, one severity letter each, returns the minutes at which a severity begins to flap. */
function beginnings(severities: string, ...minutes: number[]): [number, Severity][] {
  let log: FlapLog | null = null;
  const begun: [number, Severity][] = [];
  for (const [i, minute] of minutes.entries()) {
    const severity = SPELLED[severities[i] as keyof typeof SPELLED];
    const noted = noteFlap(log, { at: minute * MINUTE_MS, severity });
    log = noted.log;
    if (noted.begins !== null) begun.push([minute, noted.begins]);
  }
  return begun;
}

test.each<[string, string, number[], [number, Severity][]]>([
  ['two are not flapping', 'ww', [0, 10], []],
  ['three within an hour are', 'www', [0, 10, 59], [[59, 'warning']]],
  ['three in more than an hour are not', 'www', [0, 10, 60], []],
  ['it begins once', 'wwwww', [0, 10, 20, 30, 40], [[20, 'warning']]],
  [
    'it goes on as long as it is not calm for an hour',
    'wwwwww',
    [0, 10, 20, 79, 138, 140],
    [[20, 'warning']],
  ],
  [
    'after an hour of calm it may flap again',
    'wwwwww',
    [0, 10, 20, 80, 90, 100],
    [
      [20, 'warning'],
      [100, 'warning'],
    ],
  ],
  [
    'a critical flap counts as one of warnings too, and makes nothing critical',
    'wwc',
    [0, 10, 20],
    [[20, 'warning']],
  ],
  [
    'critical flaps by itself once it has flapped three times',
    'wwwccc',
    [0, 1, 2, 3, 4, 5],
    [
      [2, 'warning'],
      [5, 'critical'],
    ],
  ],
  ['milder flaps do not make critical flap', 'wwwcwcww', [0, 1, 2, 3, 4, 5, 6, 7], [[2, 'warning']]],
  ['where critical flaps, milder ones begin nothing', 'cccwwwi', [0, 1, 2, 3, 4, 5, 6], [[2, 'critical']]],
  [
    'critical is calm after an hour although warnings flap on',
    'cccwwwccc',
    [0, 1, 2, 30, 40, 50, 65, 66, 67],
    [
      [2, 'critical'],
      [65, 'warning'],
      [67, 'critical'],
    ],
  ],
])('%s', (_, severities, minutes, wanted) => {
  expect(beginnings(severities, ...minutes)).toEqual(wanted);
});

test('the flap log of an alert instance is bounded', () => {
  let log: FlapLog | null = null;
  const severities = ['critical', 'warning', 'info'] as const;
  for (let i = 0; i < 100; i += 1)
    log = noteFlap(log, { at: i * 1_000, severity: severities[i % 3] as Severity }).log;
  expect(log?.flaps).toHaveLength(9);
});
