import type { Suppression, Unconfigured } from '@tidewatch/contracts/notifications/notification';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';

/** A notification expires this long after it was decided, and so does the event of an alert that has ended. */
export const MAX_NOTICE_AGE_MS = DAY_MS;

/** The metric of rules about offline hosts. */
export const OFFLINE_METRIC = 'host.silent_minutes';

/** The state of an alert and of one channel at the moment of the decision. */
export interface NoticeState {
  alert: {
    active: boolean;
    shadow: boolean;
    severity: Severity;
    metric: string;
    /** Whether every sample of the breach was more than 15 minutes old when it was received. */
    unconfirmed: boolean;
  };
  /** Whether a silence matches the alert now. */
  silenced: boolean;
  /** The worst severity for which this channel was notified of flapping that continues; null if it was not notified. */
  flapping: Severity | null;
  /** Whether this channel was notified, or is about to be, that the host is offline, and the host still is. */
  offlineNotified: boolean;
  /** How long ago the event was decided, ms. */
  ageMs: number;
  /** Why the channel does not exist (null if it does), and whether it subscribed to the event. */
  channel: { missing: Unconfigured | null; subscribed: boolean };
}

export type NoticeDecision =
  | { kind: 'notify' }
  | { kind: 'suppress'; reason: Suppression }
  | { kind: 'not_configured'; reason: Unconfigured };

/** Reasons that may pass while the alert is active; the withheld notice is then sent. */
export const PASSING_REASONS = ['backfilled', 'silenced', 'host_offline', 'flapping'] as const;

export type PassingReason = (typeof PASSING_REASONS)[number];

/**
 * Decides whether a channel is notified of an active alert's event or reminder, or of an event that was withheld earlier,
 * and if not, why.
 */
export function decideNotice(state: NoticeState): NoticeDecision {
  const { alert, channel } = state;
  const reason = reasonAgainst(state);
  if (reason !== null) return { kind: 'suppress', reason };
  if (channel.missing !== null) return { kind: 'not_configured', reason: channel.missing };
  if (!channel.subscribed) return { kind: 'suppress', reason: 'not_subscribed' };
  return !alert.active && state.ageMs > MAX_NOTICE_AGE_MS
    ? { kind: 'suppress', reason: 'too_old' }
    : { kind: 'notify' };
}

function reasonAgainst({ alert, silenced, flapping, offlineNotified }: NoticeState): Suppression | null {
  if (alert.shadow) return 'shadow';
  if (alert.unconfirmed) return 'backfilled';
  if (silenced) return 'silenced';
  if (offlineNotified && alert.metric !== OFFLINE_METRIC) return 'host_offline';
  return flapping !== null && isAtLeast(flapping, alert.severity) ? 'flapping' : null;
}

export function isPassing(reason: string | null): reason is PassingReason {
  return PASSING_REASONS.includes(reason as PassingReason);
}

/** Whether a severity is as bad as `than`, or worse. */
export function isAtLeast(severity: Severity, than: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(than);
}
