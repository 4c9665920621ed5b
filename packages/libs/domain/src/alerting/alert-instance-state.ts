import type { Severity } from '@tidewatch/contracts/values/severity';

/** The state of one of several thresholds. */
export interface LevelState {
  state: 'pending' | 'firing' | 'recovering';
  pendingSince: number;
  clearSince: number | null;
}

/**
 * The state of an alert instance (rule, service, subject) that is not inactive. Times are those of samples, in ms.
 * The alert of an instance that has fired belongs to the caller, who keeps it until it is resolved.
 */
export interface AlertInstanceState extends LevelState {
  evaluatedAt: number;
  /** The last value evaluated; null where it fired because there was none. */
  value: number | null;
  /** The most extreme value in the condition's direction since it fired; while pending, the last value. */
  peakValue: number | null;
  flapCount: number;
  firedAt: number | null;
  valueAtFire: number | null;
  /** The severity that holds; while pending, the one that would fire first. */
  severity: Severity;
  /** State of each threshold that is not inactive; null for a rule with a single threshold. */
  levels: Partial<Record<Severity, LevelState>> | null;
  /** Whether the alert fired because samples of its metric are missing. */
  noData: boolean;
  /** The number of consecutive payloads that lacked the container or process of the alert. */
  missed: number;
}

/** The thresholds of an alert instance with their times moved by `by` ms. */
export function shiftedLevels(
  levels: Partial<Record<Severity, LevelState>>,
  by: number,
): Partial<Record<Severity, LevelState>> {
  const moved = Object.entries(levels).map(([severity, { state, pendingSince, clearSince }]) => [
    severity,
    { state, pendingSince: pendingSince + by, clearSince: clearSince === null ? null : clearSince + by },
  ]);
  return Object.fromEntries(moved);
}

export type TransitionKind =
  | 'pending'
  | 'cleared'
  | 'fired'
  | 'recovering'
  | 'refired'
  | 'escalated'
  | 'eased'
  | 'resolved';

/**
 * The effect of one sample. `next` null is inactive. `transitions` is empty where only value, peak or evaluatedAt
 * moved.
 */
export interface Verdict {
  next: AlertInstanceState | null;
  transitions: readonly TransitionKind[];
}
