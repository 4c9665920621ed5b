import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { AlertMoments } from '@tidewatch/store/investigations/alert-moments';
import { expect, test } from 'vitest';
import { firedBySample, hasOwnWindow, runWindow } from './window.ts';

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
  ['no window of its own', 'request', 0, 0, false],
  ['another start', 'request', -60, 0, true],
  ['another end', 'request', 0, -1, true],
  ['the window of an alert that began it', 'alert', -60, 0, false],
] as const)('hasOwnWindow knows a request with %s', (_name, trigger, from, to, expected) => {
  const usual = { from: NOW - 37 * MINUTE_MS, to: NOW };
  const given = { from: usual.from + from * MINUTE_MS, to: usual.to + to * MINUTE_MS };
  expect(hasOwnWindow({ ...given, trigger, createdAt: NOW }, alert())).toBe(expected);
});

test.each([
  ['true for a threshold on a metric', alert(), true],
  ['false for missing data', alert({ noData: true }), false],
  ['false for a silent host', alert({ metric: 'host.silent_minutes' }), false],
])('firedBySample is %s', (_name, of, expected) => {
  expect(firedBySample(of)).toBe(expected);
});
