import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import type { StoredClockStep } from '@tidewatch/store/health/read';
import type { EvaluatedService } from './evaluated-service.ts';

/**
 * Moves the evaluated times of a host by `by` ms after its clock was set back, at most to `until`, so that new samples are
 * evaluated. Running durations continue.
 */
export function shiftTimes(service: EvaluatedService, by: number, until: number): void {
  for (const stream of service.streams.values()) stream.shift(by, until);
  for (const members of Object.values(service.members)) {
    members.evaluatedAt = Math.min(members.evaluatedAt + by, until);
    members.presenceAt = Math.min(members.presenceAt + by, until);
  }
  service.parts.shift(by, until);
  service.clockSetBackTo = until;
  for (const [key, { flaps, flapping }] of service.flaps)
    service.flaps.set(key, { flaps: flaps.map((flap) => ({ ...flap, at: flap.at + by })), flapping });
}

/**
 * Returns the newest time (ms) that a stored sample may count with: later ones are from before the clock was set back, or
 * too far in the future.
 */
export function newestOnClock(step: StoredClockStep | null, now: number): number {
  return Math.min(now + MAX_SKEW_MS, step?.evaluatedUntil ?? Number.POSITIVE_INFINITY);
}

/** After a restart, moves flaps that were stored before the host's clock was set back to its present clock. */
export function alignFlaps(service: EvaluatedService, { evaluatedUntil, movedByMs }: StoredClockStep): void {
  for (const [key, { flaps, flapping }] of service.flaps) {
    const aligned = flaps.map((flap) =>
      flap.at > evaluatedUntil ? { ...flap, at: Math.min(flap.at + movedByMs, evaluatedUntil) } : flap,
    );
    service.flaps.set(key, { flaps: aligned, flapping });
  }
}
