import type { Transition } from '@tidewatch/contracts/channels/channel-config';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { isCalm } from '../alerting/flapping.ts';
import { isAtLeast } from './decide-notice.ts';

/** What is remembered of a flapping (rule, service, subject): when it changed last, ms, and the worst severity that flaps. */
export interface FlappingStream {
  changedAt: number;
  severity: Severity;
}

/** The worst severity of the stream that flaps at `at` (ms); null where it does not flap, or is calm by then. */
export function flappingAt(stream: FlappingStream | null, at: number): Severity | null {
  return stream === null || isCalm(stream.changedAt, at) ? null : stream.severity;
}

/**
 * What one more transition at `at` (ms) makes of a stream, null where it is not flapping. `severity` is what flaps where
 * the transition says so, else that of the alert: one above those that flap keeps the stream from nothing.
 */
export function flap(
  stream: FlappingStream | null,
  transition: Transition,
  severity: Severity,
  at: number,
): FlappingStream | null {
  const flapping = flappingAt(stream, at);
  if (stream === null || flapping === null)
    return transition === 'flapping' ? { changedAt: at, severity } : null;
  const changes = transition !== 'renotified' && transition !== 'silence_ended';
  if (!changes) return stream;
  const changedAt = Math.max(at, stream.changedAt);
  if (transition === 'flapping')
    return { changedAt, severity: isAtLeast(severity, flapping) ? severity : flapping };
  return isAtLeast(flapping, severity) ? { changedAt, severity: flapping } : stream;
}
