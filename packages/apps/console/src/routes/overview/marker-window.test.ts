import { expect, it } from 'vitest';
import { hasOneIn, markerWindow } from './marker-window.ts';

const WINDOW = markerWindow([
  { fired_at: '2026-11-26T03:10:00.000Z' },
  { fired_at: '2026-11-26T03:00:00.000Z' },
]);

it.each([
  ['half an hour before the first alert', '2026-11-26T02:30:00.000Z', true],
  ['earlier than that', '2026-11-26T02:29:59.999Z', false],
  ['between the first and the last alert', '2026-11-26T03:05:00.000Z', true],
  ['after the last alert', '2026-11-26T03:10:00.001Z', false],
])('a marker set %s is near the alerts: %s, %s', (_when, at, isNear) => {
  expect(hasOneIn([at], WINDOW)).toBe(isNear);
});
