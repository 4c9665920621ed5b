import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { expect, it } from 'vitest';
import { stretch } from '../alerting/quantity.ts';
import { breachDuration } from './breach-duration.ts';
import { anAlert, NOW } from './notice.fixture.ts';

/**
 * An alert that fired at NOW after five minutes and is notified an hour later; the clock of its host is behind by `behind`.
 */
function alert(behind: number, fields: Partial<Alert> = {}): Alert {
  return anAlert({
    pending_since: toIso(NOW - 5 * MINUTE_MS - behind),
    fired_at: toIso(NOW - behind),
    created_at: toIso(NOW),
    updated_at: toIso(NOW + 10 * MINUTE_MS),
    ...fields,
  });
}
const over = (at: number, resolution: Alert['resolution'] = 'recovered'): Partial<Alert> => ({
  status: 'resolved',
  state: 'resolved',
  resolved_at: toIso(at),
  resolution,
});

it.each<[string, Alert, string]>([
  ['of a host whose clock is right', alert(0), '1 hour 5 minutes'],
  ['of a host whose clock is three hours behind', alert(3 * HOUR_MS), '1 hour 5 minutes'],
  ['of a host whose clock is four minutes ahead', alert(-4 * MINUTE_MS), '1 hour 5 minutes'],
  ['of a host whose clock is two hours ahead', alert(-2 * HOUR_MS), '1 hour 5 minutes'],
  [
    'that recovered on a host behind',
    alert(3 * HOUR_MS, over(NOW - 3 * HOUR_MS + 7 * MINUTE_MS)),
    '12 minutes',
  ],
  [
    'that recovered on a host ahead',
    alert(-2 * HOUR_MS, over(NOW + 2 * HOUR_MS + 7 * MINUTE_MS)),
    '12 minutes',
  ],
  ['that recovered after the clock was set back', alert(0, over(NOW - HOUR_MS)), '15 minutes'],
  ['that recovered after the clock was set forward', alert(0, over(NOW + 9 * HOUR_MS)), '15 minutes'],
  [
    'resolved by hand on a host behind',
    alert(3 * HOUR_MS, over(NOW + 7 * MINUTE_MS, 'manual')),
    '12 minutes',
  ],
  [
    'resolved by hand on a host ahead',
    alert(-2 * HOUR_MS, over(NOW + 7 * MINUTE_MS, 'rule_deleted')),
    '12 minutes',
  ],
  ['that was backfilled an hour late', alert(HOUR_MS, { backfilled: true }), '2 hours 5 minutes'],
  [
    'that came in one request with its end, minutes late',
    alert(9 * MINUTE_MS, { ...over(NOW - 2 * MINUTE_MS), updated_at: toIso(NOW) }),
    '12 minutes',
  ],
  [
    'that was commented on long after its end',
    alert(0, { ...over(NOW + 2_000), updated_at: toIso(NOW + HOUR_MS) }),
    '5 minutes 2 seconds',
  ],
])('says by our clock how long a breach has lasted %s', (_case, each, wanted) => {
  expect(stretch(breachDuration(each, NOW + HOUR_MS))).toBe(wanted);
});

it('the duration of a breach is never negative, and never shown as zero', () => {
  const ahead = alert(-HOUR_MS, { pending_since: null, fired_at: toIso(NOW + HOUR_MS) });
  expect(stretch(breachDuration(ahead, NOW - 5_000))).toBe('less than a second');
});
