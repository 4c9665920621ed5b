import type { Transition } from '@tidewatch/contracts/channels/channel-config';

/** A stream that was told to be flapping is calm again once it has not changed for so long. */
export const CALM_AFTER_MS = 60 * 60_000;

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
  const flapping = stream !== null && at - stream.changedAt < CALM_AFTER_MS;
  if (transition === 'flapping') return { stream: { changedAt: at }, quiet: flapping };
  if (!flapping) return { stream: null, quiet: false };
  const changes = transition !== 'renotified' && transition !== 'silence_ended';
  return {
    stream: changes ? { changedAt: Math.max(at, stream.changedAt) } : stream,
    quiet: transition !== 'resolved',
  };
}
