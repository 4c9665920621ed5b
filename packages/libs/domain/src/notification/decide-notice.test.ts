import type { Severity } from '@tidewatch/contracts/values/severity';
import { expect, test } from 'vitest';
import { decideNotice, MAX_NOTICE_AGE_MS, type NoticeState, OFFLINE_METRIC } from './decide-notice.ts';

type Change = Partial<Omit<NoticeState, 'alert' | 'channel'>> & {
  alert?: Partial<NoticeState['alert']>;
  channel?: Partial<NoticeState['channel']>;
};

function stateWith({ alert, channel, ...rest }: Change): NoticeState {
  return {
    silenced: false,
    flapping: null,
    offlineNotified: false,
    ageMs: 0,
    ...rest,
    alert: {
      active: true,
      shadow: false,
      severity: 'warning',
      metric: 'cpu_percent',
      unconfirmed: false,
      ...alert,
    },
    channel: { missing: null, subscribed: true, ...channel },
  };
}

test.each<[string, Change, string]>([
  ['an active alert that nothing stands against is notified', {}, 'notify'],
  ['an alert of a shadow rule is not', { alert: { shadow: true } }, 'shadow'],
  ['an alert that no fresh sample has confirmed is not', { alert: { unconfirmed: true } }, 'backfilled'],
  ['an alert that a silence matches is not', { silenced: true }, 'silenced'],
  [
    'a channel that is notified that the host is offline gets nothing else of it',
    { offlineNotified: true },
    'host_offline',
  ],
  [
    'that the host is offline is itself notified',
    { offlineNotified: true, alert: { metric: OFFLINE_METRIC } },
    'notify',
  ],
  ['a warning is not notified while warnings flap', { flapping: 'warning' }, 'flapping'],
  [
    'a critical alert is notified while warnings flap',
    { flapping: 'warning', alert: { severity: 'critical' } },
    'notify',
  ],
  [
    'a critical alert is not notified once critical flaps itself',
    { flapping: 'critical', alert: { severity: 'critical' } },
    'flapping',
  ],
  ['a warning is not notified while critical flaps', { flapping: 'critical' }, 'flapping'],
  [
    'an info alert is not notified while warnings flap',
    { flapping: 'warning', alert: { severity: 'info' } },
    'flapping',
  ],
  ['a warning is notified while info flaps', { flapping: 'info' }, 'notify'],
  ['an active alert is notified however late its event is', { ageMs: MAX_NOTICE_AGE_MS + 1 }, 'notify'],
  [
    'an alert that has ended is notified after an outage of ours',
    { ageMs: MAX_NOTICE_AGE_MS, alert: { active: false } },
    'notify',
  ],
  [
    'an alert that has ended is not notified a day later',
    { ageMs: MAX_NOTICE_AGE_MS + 1, alert: { active: false } },
    'too_old',
  ],
  [
    'a disabled channel is recorded as such',
    { channel: { missing: 'channel_disabled' } },
    'channel_disabled',
  ],
  [
    'a channel that did not ask for the event is not notified',
    { channel: { subscribed: false } },
    'not_subscribed',
  ],
  [
    'a reason of the alert comes before one of the channel',
    { silenced: true, channel: { missing: 'no_default' } },
    'silenced',
  ],
  ['confirmation does not lift a silence', { silenced: true, alert: { unconfirmed: false } }, 'silenced'],
  [
    'an unconfirmed alert under a silence is unconfirmed',
    { silenced: true, alert: { unconfirmed: true } },
    'backfilled',
  ],
  [
    'a confirmed alert of an offline host is withheld where that is notified',
    { offlineNotified: true, flapping: 'info' },
    'host_offline',
  ],
  ['a silenced alert of an offline host is silenced', { silenced: true, offlineNotified: true }, 'silenced'],
])('%s', (_, change, expected) => {
  const decision = decideNotice(stateWith(change));
  expect(decision.kind === 'notify' ? 'notify' : decision.reason).toBe(expected);
});

test('a flapping notice withholds exactly the severities that are not worse than its own', () => {
  const severities: Severity[] = ['critical', 'warning', 'info'];
  const withheld = severities.map((flapping) =>
    severities.filter(
      (severity) => decideNotice(stateWith({ flapping, alert: { severity } })).kind === 'suppress',
    ),
  );
  expect(withheld).toEqual([['critical', 'warning', 'info'], ['warning', 'info'], ['info']]);
});
