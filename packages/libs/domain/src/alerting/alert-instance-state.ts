import type { Severity } from '@tidewatch/contracts/values/severity';

/** The state of one of the several thresholds of a rule. */
export interface LevelState {
  state: 'pending' | 'firing' | 'recovering';
  pendingSince: number;
  clearSince: number | null;
}

/**
 * The state of an alert instance (rule, service, subject) that is pending, firing or recovering; inactive is null. Times
 * are sample times, ms. The caller keeps the alert of a firing instance until it is resolved.
 */
export interface AlertInstanceState extends LevelState {
  evaluatedAt: number;
  /** The last evaluated value; null where the alert fired because its metric is missing. */
  value: number | null;
  /** The most extreme value, in the direction of the condition, since the alert fired; while pending, the last value. */
  peakValue: number | null;
  flapCount: number;
  firedAt: number | null;
  valueAtFire: number | null;
  /** The worst severity that fires or recovers; while pending, the severity that would fire first. */
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
 * The effect of one sample on an alert instance. `next` is the new state, null for inactive; `transitions` is empty where
 * only the value, the peak or the time of evaluation changed.
 */
export interface Verdict {
  next: AlertInstanceState | null;
  transitions: readonly TransitionKind[];
}
