import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';

/** The number of flaps within `FLAPPING_WITHIN_MS` from which an alert counts as flapping. */
export const FLAPS = 3;
/**
 * The period in which flaps of an alert are counted, and after which an alert without a flap no longer counts as flapping.
 */
export const FLAPPING_WITHIN_MS = HOUR_MS;

/** One flap of an alert: the time of its sample, ms, and the severity of the alert at that time. */
export interface Flap {
  readonly at: number;
  readonly severity: Severity;
}

/**
 * The last flaps of an alert instance, oldest first: each breach while the alert recovered, and each resolution after
 * firing.
 */
export interface FlapLog {
  readonly flaps: readonly Flap[];
  /** The worst severity that has been notified as flapping and still flaps; null if there is none. */
  readonly flapping: Severity | null;
}

/** Whether an alert whose state last changed at `changedAt` no longer counts as flapping at `at` (both in ms). */
export function isCalm(changedAt: number, at: number): boolean {
  return at - changedAt >= FLAPPING_WITHIN_MS;
}

/**
 * The flap log after one more flap, which counts for its own severity and for milder ones. `begins` is the severity that
 * starts to flap with this flap, or null.
 */
export function noteFlap(log: FlapLog | null, flap: Flap): { log: FlapLog; begins: Severity | null } {
  const before = log?.flaps ?? [];
  const flaps = bounded([...before.filter(({ at }) => !isCalm(at, flap.at)), flap]);
  const was = log?.flapping ?? null;
  const flapping =
    SEVERITIES.find((severity) => flaps.filter((each) => isWithin(each, severity)).length >= FLAPS) ?? null;
  const kept =
    was !== null && before.some((each) => isWithin(each, was) && !isCalm(each.at, flap.at)) ? was : null;
  const worst = SEVERITIES.find((severity) => severity === flapping || severity === kept) ?? null;
  return { log: { flaps, flapping: worst }, begins: worst === kept ? null : worst };
}

/** Whether a flap is at least as severe as a severity, so that it counts for that severity. */
function isWithin(flap: Flap, severity: Severity): boolean {
  return SEVERITIES.indexOf(flap.severity) <= SEVERITIES.indexOf(severity);
}

/** Removes flaps beyond the number per severity that decides about flapping. */
function bounded(flaps: readonly Flap[]): Flap[] {
  return flaps.filter(
    ({ severity }, place) =>
      flaps.slice(place).filter((later) => later.severity === severity).length <= FLAPS,
  );
}
