import { expect, it } from 'vitest';
import type { Alert } from './alert-reads.ts';
import { chartRangeOf } from './chart-range.ts';

const alert = (times: Partial<Alert>) =>
  ({ pending_since: null, fired_at: '2026-11-26T03:08:00.000Z', resolved_at: null, ...times }) as Alert;

it.each([
  ['goes on while the alert is active', {}, { from: '2026-11-26T02:23:00.000Z' }],
  [
    'begins before the breach',
    { pending_since: '2026-11-26T03:03:00.000Z' },
    { from: '2026-11-26T02:18:00.000Z' },
  ],
  [
    'ends after the resolution',
    { resolved_at: '2026-11-26T04:00:00.000Z' },
    { from: '2026-11-26T02:23:00.000Z', to: '2026-11-26T04:15:00.000Z' },
  ],
])('the chart %s', (_name, times, range) => {
  expect(chartRangeOf(alert(times))).toEqual(range);
});
