import { describe, expect, it } from 'vitest';
import { alertWindow, requestedWindow } from './window.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const FIRED = Date.UTC(2026, 10, 21, 14, 36, 28);

describe('the window of an alert', () => {
  it.each<
    [string, { pendingSince?: number | null; resolvedAt?: number }, now: number, [from: number, to: number]]
  >([
    ['that has just fired at once', { pendingSince: FIRED }, FIRED + MINUTE, [-30 * MINUTE, MINUTE]],
    ['that was never pending', { pendingSince: null }, FIRED + 5 * MINUTE, [-30 * MINUTE, 5 * MINUTE]],
    ['that was pending for long', { pendingSince: FIRED - HOUR }, FIRED + MINUTE, [-3 * HOUR, MINUTE]],
    [
      'that was resolved',
      { pendingSince: FIRED - 5 * MINUTE, resolvedAt: FIRED + HOUR },
      FIRED + 9 * HOUR,
      [-35 * MINUTE, HOUR + 10 * MINUTE],
    ],
    [
      'that has fired for days is its beginning',
      { pendingSince: FIRED },
      FIRED + 99 * HOUR,
      [-30 * MINUTE, 23.5 * HOUR],
    ],
    [
      'that was pending for a day ends with its firing',
      { pendingSince: FIRED - 24 * HOUR },
      FIRED + 99 * HOUR,
      [MINUTE - 24 * HOUR, MINUTE],
    ],
    ['whose host is ahead of us', { pendingSince: FIRED }, FIRED - 9 * MINUTE, [-30 * MINUTE, MINUTE]],
  ])('%s', (_name, { pendingSince = null, resolvedAt = null }, now, [from, to]) => {
    expect(alertWindow({ pendingSince, firedAt: FIRED, resolvedAt }, now)).toEqual({
      from: FIRED + from,
      to: FIRED + to,
    });
  });
});

describe('the window that was asked for', () => {
  const NOW = FIRED + 10 * MINUTE;
  const USUAL = { from: NOW - 2 * HOUR, to: NOW - HOUR };
  it.each<[string, { from?: number; to?: number }, boolean, { from: number; to: number } | string]>([
    ['is the last hour', {}, false, { from: NOW - HOUR, to: NOW }],
    ['is the usual one', {}, true, USUAL],
    ['begins where it says', { from: NOW - 3 * HOUR }, true, { from: NOW - 3 * HOUR, to: USUAL.to }],
    ['ends where it says', { to: NOW - 5 * HOUR }, true, { from: NOW - 6 * HOUR, to: NOW - 5 * HOUR }],
    ['ends now at the latest', { from: NOW - HOUR, to: NOW + HOUR }, false, { from: NOW - HOUR, to: NOW }],
    ['may be of a minute', { from: NOW - MINUTE }, false, { from: NOW - MINUTE, to: NOW }],
    ['may be of a day', { from: NOW - 24 * HOUR }, false, { from: NOW - 24 * HOUR, to: NOW }],
    ['is no shorter', { from: NOW - MINUTE + 1 }, false, 'too_short'],
    ['is no longer', { from: NOW - 24 * HOUR - 1 }, false, 'too_long'],
    ['is not of the future', { from: NOW + HOUR, to: NOW + 2 * HOUR }, false, 'too_short'],
  ])('%s', (_name, asked, isUsual, window) => {
    expect(requestedWindow(asked, isUsual ? USUAL : null, NOW)).toEqual(window);
  });
});
