import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import { isCalm } from '../alerting/flapping.ts';
import { isAtLeast } from './decide-notice.ts';

/** A notification to one channel that an alert is flapping. */
export interface FlappingNotice {
  channel: string;
  /** Id of the notification. */
  id: string;
  severity: Severity;
  /** Whether the notification was delivered or is queued for delivery. */
  underWay: boolean;
}

/** The state of a flapping alert instance. */
export interface FlappingStream {
  /** When the state of the alert last changed, ms. */
  changedAt: number;
  /** The worst severity at which the alert is flapping. */
  severity: Severity;
  notices: readonly FlappingNotice[];
}

/**
 * The worst severity for which the channel was notified, or is about to be, that the alert flaps; null if there is none or
 * if the alert is calm at `at` (ms).
 */
export function flappingOn(stream: FlappingStream | null, channel: string, at: number): Severity | null {
  if (stream === null || isCalm(stream.changedAt, at)) return null;
  const known = stream.notices.filter((notice) => notice.underWay && notice.channel === channel);
  return SEVERITIES.find((severity) => known.some((notice) => notice.severity === severity)) ?? null;
}

/**
 * The flapping state after one more transition at `at` (ms); null if the alert is not flapping. Transitions of a worse
 * severity than those that flap do not prolong the flapping.
 */
export function flap(
  stream: FlappingStream | null,
  transition: Transition,
  severity: Severity,
  at: number,
): FlappingStream | null {
  if (stream === null || isCalm(stream.changedAt, at))
    return transition === 'flapping' ? { changedAt: at, severity, notices: [] } : null;
  if (transition === 'renotified' || transition === 'silence_ended') return stream;
  const changedAt = Math.max(at, stream.changedAt);
  if (transition === 'flapping')
    return {
      ...stream,
      changedAt,
      severity: isAtLeast(severity, stream.severity) ? severity : stream.severity,
    };
  return isAtLeast(stream.severity, severity) ? { ...stream, changedAt } : stream;
}

/** The flapping state with new notices; each replaces the notices of its channel that are not worse. */
export function withNotices(stream: FlappingStream, notices: readonly FlappingNotice[]): FlappingStream {
  const kept = stream.notices.filter(
    (before) =>
      !notices.some(
        ({ channel, severity }) => channel === before.channel && isAtLeast(severity, before.severity),
      ),
  );
  return { ...stream, notices: [...kept, ...notices] };
}
