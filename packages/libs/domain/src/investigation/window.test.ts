import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import { alertWindow, requestedWindow } from './window.ts';

const FIRED = Date.UTC(2026, 10, 21, 14, 36, 28);

describe('the window of an alert', () => {
  it.each<
    [string, { pendingSince?: number | null; resolvedAt?: number }, now: number, [from: number, to: number]]
  >([
    ['that has just fired at once', { pendingSince: FIRED }, FIRED + MINUTE_MS, [-30 * MINUTE_MS, MINUTE_MS]],
    [
      'that was never pending',
      { pendingSince: null },
      FIRED + 5 * MINUTE_MS,
      [-30 * MINUTE_MS, 5 * MINUTE_MS],
    ],
    [
      'that was pending for long',
      { pendingSince: FIRED - HOUR_MS },
      FIRED + MINUTE_MS,
      [-3 * HOUR_MS, MINUTE_MS],
    ],
    [
      'that was resolved',
      { pendingSince: FIRED - 5 * MINUTE_MS, resolvedAt: FIRED + HOUR_MS },
      FIRED + 9 * HOUR_MS,
      [-35 * MINUTE_MS, HOUR_MS + 10 * MINUTE_MS],
    ],
    [
      'that has fired for days is its beginning',
      { pendingSince: FIRED },
      FIRED + 99 * HOUR_MS,
      [-30 * MINUTE_MS, 23.5 * HOUR_MS],
    ],
    [
      'that was pending for a day ends with its firing',
      { pendingSince: FIRED - DAY_MS },
      FIRED + 99 * HOUR_MS,
      [MINUTE_MS - DAY_MS, MINUTE_MS],
    ],
    [
      'whose host is ahead of us',
      { pendingSince: FIRED },
      FIRED - 9 * MINUTE_MS,
      [-30 * MINUTE_MS, MINUTE_MS],
    ],
  ])('%s', (_name, { pendingSince = null, resolvedAt = null }, now, [from, to]) => {
    expect(alertWindow({ pendingSince, firedAt: FIRED, resolvedAt }, now)).toEqual({
      from: FIRED + from,
      to: FIRED + to,
    });
  });
});

describe('the window that was asked for', () => {
  const NOW = FIRED + 10 * MINUTE_MS;
  const USUAL = { from: NOW - 2 * HOUR_MS, to: NOW - HOUR_MS };
  it.each<[string, { from?: number; to?: number }, boolean, { from: number; to: number } | string]>([
    ['is the last hour', {}, false, { from: NOW - HOUR_MS, to: NOW }],
    ['is the usual one', {}, true, USUAL],
    ['begins where it says', { from: NOW - 3 * HOUR_MS }, true, { from: NOW - 3 * HOUR_MS, to: USUAL.to }],
    [
      'ends where it says',
      { to: NOW - 5 * HOUR_MS },
      true,
      { from: NOW - 6 * HOUR_MS, to: NOW - 5 * HOUR_MS },
    ],
    [
      'ends now at the latest',
      { from: NOW - HOUR_MS, to: NOW + HOUR_MS },
      false,
      { from: NOW - HOUR_MS, to: NOW },
    ],
    ['may be of a minute', { from: NOW - MINUTE_MS }, false, { from: NOW - MINUTE_MS, to: NOW }],
    ['may be of a day', { from: NOW - DAY_MS }, false, { from: NOW - DAY_MS, to: NOW }],
    ['is no shorter', { from: NOW - MINUTE_MS + 1 }, false, 'too_short'],
    ['is no longer', { from: NOW - DAY_MS - 1 }, false, 'too_long'],
    ['is not of the future', { from: NOW + HOUR_MS, to: NOW + 2 * HOUR_MS }, false, 'too_short'],
  ])('%s', (_name, asked, isUsual, window) => {
    expect(requestedWindow(asked, isUsual ? USUAL : null, NOW)).toEqual(window);
  });
});
