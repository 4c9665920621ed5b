import { expect, it } from 'vitest';
import type { Alert } from './alert-filter.ts';
import { type Summary, summaryAfter } from './summary-counts.ts';

const SUMMARY = {
  as_of: '2026-11-26T03:00:00.000Z',
  alerts: {
    total: 3,
    critical: { total: 2, acknowledged: 1 },
    warning: { total: 1, acknowledged: 0 },
    info: { total: 0, acknowledged: 0 },
  },
} as unknown as Summary;
const alert = (changes: Partial<Alert> = {}) =>
  ({ severity: 'critical', shadow: false, acknowledged_at: null, ...changes }) as Alert;
const AFTER = '2026-11-26T03:00:01.000Z';

it.each<[string, string, string, Alert, [number, number, number] | undefined]>([
  ['counts an alert that fired', 'alert.fired', AFTER, alert(), [4, 3, 1]],
  ['counts an alert that resolved', 'alert.resolved', AFTER, alert(), [2, 1, 1]],
  [
    'counts an acknowledged alert that resolved',
    'alert.resolved',
    AFTER,
    alert({ acknowledged_at: AFTER }),
    [2, 1, 0],
  ],
  ['asks after an escalation', 'alert.escalated', AFTER, alert(), undefined],
  ['leaves shadow alerts out', 'alert.fired', AFTER, alert({ shadow: true }), undefined],
  ['counts no event twice', 'alert.fired', '2026-11-26T02:59:59.000Z', alert(), undefined],
])('%s', (_name, type, time, given, expected) => {
  const after = summaryAfter(SUMMARY, type, time, given);
  const counts = after && [
    after.alerts.total,
    after.alerts.critical.total,
    after.alerts.critical.acknowledged,
  ];
  expect(counts).toEqual(expected);
});
