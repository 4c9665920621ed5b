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
  /** The worst severity whose flapping this channel was notified of while that is not calm; null where it was of none. */
  flapping: Severity | null;
  /** A notice that the host is offline was, or is about to be, delivered on this channel, and the host still is. */
  offlineNotified: boolean;
  /** How long ago the event was decided, ms. */
  ageMs: number;
  /** Why there is no such channel, and whether it asked for the event. */
  channel: { missing: Unconfigured | null; subscribed: boolean };
}

export type NoticeDecision =
  | { kind: 'notify' }
  | { kind: 'suppress'; reason: Suppression }
  | { kind: 'not_configured'; reason: Unconfigured };

/** Reasons that may pass while the alert is active: what they withheld is made good then. */
export const PASSING_REASONS = ['backfilled', 'silenced', 'host_offline', 'flapping'] as const;

export type PassingReason = (typeof PASSING_REASONS)[number];

/**
 * Whether a channel is notified that an alert fires, or of what comes after that while it is active, and if not, why. The
 * one place that decides: for an event, for a reminder, and for what was withheld before.
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

/** Whether one severity is as bad as another, or worse. */
export function isAtLeast(severity: Severity, than: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(than);
}
