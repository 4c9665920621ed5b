import { describe, expect, it } from 'vitest';
import { alertWindow } from './window.ts';

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
