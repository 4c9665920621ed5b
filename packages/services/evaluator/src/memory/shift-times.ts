import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import type { AlertInstance } from './alert-instance.ts';
import type { EvaluatedService } from './evaluated-service.ts';

/**
 * Moves the evaluated times of a host by `by` ms after its clock was set back, at most to `until`, so that new samples are
 * evaluated. Running durations continue.
 */
export function shiftTimes(service: EvaluatedService, by: number, until: number): void {
  for (const stream of service.streams.values()) stream.shift(by, until);
  for (const members of Object.values(service.members))
    members.evaluatedAt = Math.min(members.evaluatedAt + by, until);
  service.clockSetBackTo = until;
  for (const [key, { flaps, flapping }] of service.flaps)
    service.flaps.set(key, { flaps: flaps.map((flap) => ({ ...flap, at: flap.at + by })), flapping });
}

/** The host’s clock as of before a restart. */
interface KnownClock {
  /** When the host was last received, by the server’s clock, ms. */
  lastSeen: number | null;
  clockOffsetSeconds: number | null;
}

/**
 * Returns the newest time (ms) that a stored sample may count with: later ones are from before the clock was set back.
 */
export function newestOnClock(clock: KnownClock, now: number): number {
  return Math.min(now + MAX_SKEW_MS, hostTimeOf(clock) + TOLERANCE_MS);
}

/**
 * After a restart, moves times that were stored before the host's clock was set back to its present clock. Running
 * durations continue; no time is after the last receipt of the host.
 */
export function alignWithClock(
  service: EvaluatedService,
  clock: KnownClock,
  instances: readonly AlertInstance[],
): void {
  const hostTime = hostTimeOf(clock);
  const by = -(clock.clockOffsetSeconds ?? 0) * 1_000;
  for (const instance of instances)
    if (instance.evaluatedAt > hostTime + TOLERANCE_MS)
      instance.shift(Math.min(by, hostTime - instance.evaluatedAt), hostTime);
  for (const [key, { flaps, flapping }] of service.flaps) {
    const aligned = flaps.map((flap) =>
      flap.at > hostTime + TOLERANCE_MS ? { ...flap, at: Math.min(flap.at + by, hostTime) } : flap,
    );
    service.flaps.set(key, { flaps: aligned, flapping });
  }
}

/** Returns when the host was last received, by its own clock; Infinity unless that clock is known to be behind. */
function hostTimeOf({ lastSeen, clockOffsetSeconds }: KnownClock): number {
  if (lastSeen === null || clockOffsetSeconds === null || clockOffsetSeconds <= 0)
    return Number.POSITIVE_INFINITY;
  return lastSeen - clockOffsetSeconds * 1_000;
}

/** Tolerance within which requests agree on a clock offset. */
const TOLERANCE_MS = MINUTE_MS;
