import type { JudgedService } from './judged-service.ts';

/**
 * Moves the times of what was judged of a host by `by` ms, after its clock was set back. Nothing counts as judged after
 * `until` then, so that samples are judged in the order of arrival; durations that have begun go on.
 */
export function shiftTimes(service: JudgedService, by: number, until: number): void {
  for (const stream of service.streams.values()) stream.shift(by, until);
  for (const members of Object.values(service.members))
    members.judgedAt = Math.min(members.judgedAt + by, until);
  service.clockSetBackTo = until;
  for (const [key, { flaps, flapping }] of service.flaps)
    service.flaps.set(key, { flaps: flaps.map((flap) => ({ ...flap, at: flap.at + by })), flapping });
}

/**
 * After a restart: moves the times of a host whose clock is known to be behind onto that clock, where samples from before
 * it was set back count as judged in its future. `lastSeen` is when it was last received, by our clock; both in ms.
 */
export function alignWithClock(service: JudgedService, lastSeen: number, offsetMs: number): void {
  const hostNow = lastSeen - offsetMs;
  let newest = Number.NEGATIVE_INFINITY;
  for (const { judgedAt } of service.streams.values()) if (judgedAt > newest) newest = judgedAt;
  if (newest - hostNow > TOLERANCE_MS) shiftTimes(service, hostNow - newest, hostNow);
}

/** Requests that agree on an offset differ by as much. */
const TOLERANCE_MS = 60_000;
