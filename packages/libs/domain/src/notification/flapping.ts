import type { Transition } from '@tidewatch/contracts/channels/channel-config';
import { isCalm } from '../alerting/flapping.ts';

/** What is remembered of a flapping (rule, service, subject); ms. */
export interface FlappingStream {
  changedAt: number;
}

/**
 * What one more transition at `at` (ms) makes of a stream, null where it is not flapping. `quiet`: nobody is told of
 * the transition, since that it flaps was told already. Resolutions follow their firings, and are never quieted here.
 */
export function flap(
  stream: FlappingStream | null,
  transition: Transition,
  at: number,
): { stream: FlappingStream | null; quiet: boolean } {
  const flapping = stream !== null && !isCalm(stream.changedAt, at);
  if (transition === 'flapping') return { stream: { changedAt: at }, quiet: flapping };
  if (!flapping) return { stream: null, quiet: false };
  const changes = transition !== 'renotified' && transition !== 'silence_ended';
  return {
    stream: changes ? { changedAt: Math.max(at, stream.changedAt) } : stream,
    quiet: transition !== 'resolved',
  };
}
