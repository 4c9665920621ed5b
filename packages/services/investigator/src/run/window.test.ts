import type { AlertMoments } from '@tidewatch/store/investigations/alert-moments';
import { expect, test } from 'vitest';
import { firedBySample, runWindow } from './window.ts';

const MINUTE = 60_000;
const NOW = 1_000 * MINUTE;
const asked = { from: NOW - 60 * MINUTE, to: NOW };

function alert(fields: Partial<AlertMoments> = {}): AlertMoments {
  return {
    id: 'alr_1',
    ruleName: 'busy',
    metric: 'cpu_percent',
    noData: false,
    pendingSince: NOW - 7 * MINUTE,
    firedAt: NOW - 2 * MINUTE,
    resolvedAt: null,
    resolution: null,
    ...fields,
  };
}

test.each([
  [
    'an alert: half an hour before it began, up to the newest sample',
    alert(),
    NOW - 5_000,
    NOW - 37 * MINUTE,
    NOW - 4_999,
  ],
  ['a host that was silent since: up to now', alert(), NOW - 3 * MINUTE, NOW - 37 * MINUTE, NOW],
  ['a host of which nothing is stored: up to now', alert(), null, NOW - 37 * MINUTE, NOW],
  [
    'a long breach: twice as long before',
    alert({ pendingSince: NOW - 62 * MINUTE }),
    NOW - 1,
    NOW - 182 * MINUTE,
    NOW,
  ],
  ['what was asked for, as it was', undefined, NOW + 1_000, asked.from, asked.to],
  ['what was asked for of a host that reports on', undefined, NOW - 30_000, asked.from, NOW - 29_999],
])('%s', (_name, of, storedUntil, from, to) => {
  expect(runWindow(asked, of, storedUntil, NOW)).toEqual({ from, to });
});

test.each([
  [alert(), true],
  [alert({ noData: true }), false],
  [alert({ metric: 'host.silent_minutes' }), false],
])('whether a sample made it fire: %#', (of, expected) => {
  expect(firedBySample(of)).toBe(expected);
});
