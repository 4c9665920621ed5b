import { describe, expect, test } from 'vitest';
import { type HealthFacts, type HealthStatus, statusOf, worstStatus } from './status.ts';

const WELL: HealthFacts = { silent: false, critical: 0, warning: 0 };

describe('status', () => {
  test.each<[string, Partial<HealthFacts>, HealthStatus, string[]]>([
    ['nothing is wrong', {}, 'healthy', []],
    ['a warning', { warning: 1 }, 'degraded', ['warning_alert']],
    [
      'a critical alert goes before a warning',
      { critical: 1, warning: 2 },
      'critical',
      ['critical_alert', 'warning_alert'],
    ],
    ['silence goes before alerts', { silent: true, critical: 1 }, 'offline', ['silent', 'critical_alert']],
    [
      'maintenance goes before all',
      { maintenance: true, silent: true, critical: 1, warning: 1 },
      'maintenance',
      ['silenced', 'silent', 'critical_alert', 'warning_alert'],
    ],
    ['a skewed clock is a reason and no status', { clockSkewSeconds: 400 }, 'healthy', ['clock_skew']],
  ])('%s', (_, facts, status, codes) => {
    const health = statusOf({ ...WELL, ...facts });
    expect([health.status, health.reasons.map(({ code }) => code)]).toEqual([status, codes]);
  });

  test('each reason of a status has a message and the id of its alert', () => {
    const { reasons } = statusOf({
      ...WELL,
      silent: true,
      maxSilenceMs: 180_000,
      critical: 1,
      criticalAlertId: 'alr_1',
      warning: 2,
      clockSkewSeconds: 301.4,
    });
    expect(reasons).toEqual([
      { code: 'silent', message: 'No payload has arrived for 180 s or longer.', alert_id: null },
      { code: 'critical_alert', message: '1 critical alert is active.', alert_id: 'alr_1' },
      { code: 'warning_alert', message: '2 warning alerts are active.', alert_id: null },
      {
        code: 'clock_skew',
        message:
          'Its clock is 5 minutes 1 second ahead: samples from so far ahead are evaluated once its requests agree on that.',
        alert_id: null,
      },
    ]);
  });
});

test.each<[HealthStatus, HealthStatus, HealthStatus]>([
  ['healthy', 'healthy', 'healthy'],
  ['healthy', 'degraded', 'degraded'],
  ['offline', 'critical', 'critical'],
  ['offline', 'degraded', 'offline'],
  ['maintenance', 'degraded', 'degraded'],
  ['maintenance', 'healthy', 'maintenance'],
])('of %s and %s the worse is %s', (a, b, wanted) => {
  expect([worstStatus(a, b), worstStatus(b, a)]).toEqual([wanted, wanted]);
});
