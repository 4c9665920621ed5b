import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { AlertMoments } from '@tidewatch/store/investigations/alert-moments';
import { expect, test } from 'vitest';
import { firedBySample, runWindow } from './window.ts';

const NOW = 1_000 * MINUTE_MS;
const asked = { from: NOW - 60 * MINUTE_MS, to: NOW };

function alert(fields: Partial<AlertMoments> = {}): AlertMoments {
  return {
    id: 'alr_1',
    ruleName: 'busy',
    metric: 'cpu_percent',
    noData: false,
    pendingSince: NOW - 7 * MINUTE_MS,
    firedAt: NOW - 2 * MINUTE_MS,
    resolvedAt: null,
    resolution: null,
    ...fields,
  };
}

test.each([
  [
    'begins half an hour before the breach of an alert and ends with the newest sample',
    alert(),
    NOW - 5_000,
    NOW - 37 * MINUTE_MS,
    NOW - 4_999,
  ],
  ['ends now for a host that is silent', alert(), NOW - 3 * MINUTE_MS, NOW - 37 * MINUTE_MS, NOW],
  ['ends now for a host without samples', alert(), null, NOW - 37 * MINUTE_MS, NOW],
  [
    'begins earlier for a long breach',
    alert({ pendingSince: NOW - 62 * MINUTE_MS }),
    NOW - 1,
    NOW - 182 * MINUTE_MS,
    NOW,
  ],
  ['is the requested window without an alert', undefined, NOW + 1_000, asked.from, asked.to],
  ['ends with the newest sample in a requested window', undefined, NOW - 30_000, asked.from, NOW - 29_999],
])('the window of a run %s', (_name, of, storedUntil, from, to) => {
  expect(runWindow(asked, of, storedUntil, NOW)).toEqual({ from, to });
});

test.each([
  ['true for a threshold on a metric', alert(), true],
  ['false for missing data', alert({ noData: true }), false],
  ['false for a silent host', alert({ metric: 'host.silent_minutes' }), false],
])('firedBySample is %s', (_name, of, expected) => {
  expect(firedBySample(of)).toBe(expected);
});
