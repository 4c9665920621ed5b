import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';

/** The number of flaps within `FLAPPING_WITHIN_MS` from which an alert counts as flapping. */
export const FLAPS = 3;
/** The period in which flaps of an alert are counted; after this time without a flap the alert is calm again. */
export const FLAPPING_WITHIN_MS = HOUR_MS;

/** One flap of an alert: the time of the sample that caused it, in ms, and the severity of the alert then. */
export interface Flap {
  readonly at: number;
  readonly severity: Severity;
}

/**
 * The last flaps of one (rule, service, subject), oldest first: each time that it breached again while it recovered, and
 * each time that it fired and resolved.
 */
export interface FlapLog {
  readonly flaps: readonly Flap[];
  /** The worst severity for which flapping was notified and has not calmed down; null if there is none. */
  readonly flapping: Severity | null;
}

/** Whether an alert whose state last changed at `changedAt` no longer counts as flapping at `at` (both in ms). */
export function isCalm(changedAt: number, at: number): boolean {
  return at - changedAt >= FLAPPING_WITHIN_MS;
}

/**
 * The log with one more flap, which counts for its severity and for milder ones. `begins` is the severity that flaps from
 * now on, null where none does that did not before.
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

/** Whether the flap counts for a severity: it is as severe, or worse. */
function isWithin(flap: Flap, severity: Severity): boolean {
  return SEVERITIES.indexOf(flap.severity) <= SEVERITIES.indexOf(severity);
}

/** The last transitions of each severity; more of one are not needed. */
function bounded(flaps: readonly Flap[]): Flap[] {
  return flaps.filter(
    ({ severity }, place) =>
      flaps.slice(place).filter((later) => later.severity === severity).length <= FLAPS,
  );
}
