import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { CompiledLevel } from '../rules/level.ts';
import type { AlertInstanceState, TransitionKind, Verdict } from './alert-instance-state.ts';

/** A gap between samples of up to this length never ends a pending breach. */
export const MIN_GAP_MS = 5 * MINUTE_MS;
/** A gap between samples ends a pending breach if it is longer than this many usual intervals of the stream. */
const INTERVALS_OF_A_GAP = 3;

const NOTHING: readonly TransitionKind[] = Object.freeze([]);
const PENDING: readonly TransitionKind[] = Object.freeze(['pending'] as const);
const CLEARED: readonly TransitionKind[] = Object.freeze(['cleared'] as const);
const FIRED: readonly TransitionKind[] = Object.freeze(['fired'] as const);
const RECOVERING: readonly TransitionKind[] = Object.freeze(['recovering'] as const);
const REFIRED: readonly TransitionKind[] = Object.freeze(['refired'] as const);
const RESOLVED: readonly TransitionKind[] = Object.freeze(['resolved'] as const);
const CLEARED_PENDING: readonly TransitionKind[] = Object.freeze(['cleared', 'pending'] as const);
const CLEARED_FIRED: readonly TransitionKind[] = Object.freeze(['cleared', 'fired'] as const);

/**
 * Evaluates one sample against one threshold, as a pure function; `previous` is null for an inactive instance.
 * `lastEvaluatedAt` (ms or null) and `usualIntervalMs` (0 if unknown) describe the samples before. Returns null if the
 * instance stays inactive or the sample is not newer than the last evaluated one.
 */
export function evaluateLevel(
  level: CompiledLevel,
  previous: AlertInstanceState | null,
  lastEvaluatedAt: number | null,
  time: number,
  value: number,
  usualIntervalMs: number,
): Verdict | null {
  if (lastEvaluatedAt !== null && time < lastEvaluatedAt) return null;
  const breach = level.breaches(value);
  if (previous === null) {
    if (!breach) return null;
    return begin(level, time, value, PENDING, FIRED);
  }
  if (time < previous.evaluatedAt) return null;
  if (previous.state === 'pending') {
    if (!breach) return { next: null, transitions: CLEARED };
    if (endsByGap(previous, lastEvaluatedAt, time, usualIntervalMs))
      return begin(level, time, value, CLEARED_PENDING, CLEARED_FIRED);
    if (isBeforeFiring(level, previous, time)) {
      const next = {
        ...previous,
        evaluatedAt: time,
        value,
        peakValue: value,
        severity: level.severity,
        missed: 0,
      };
      return { next, transitions: NOTHING };
    }
    return { next: fired(level, previous.pendingSince, time, value), transitions: FIRED };
  }
  return previous.state === 'firing'
    ? evaluateFiring(level, previous, time, value, breach)
    : evaluateRecovering(level, previous, time, value, breach);
}

/** Whether a pending alert ends before this breach, because the gap since its last sample is too long. */
export function endsByGap(
  pending: AlertInstanceState,
  lastEvaluatedAt: number | null,
  time: number,
  usualIntervalMs: number,
): boolean {
  return time - (lastEvaluatedAt ?? pending.evaluatedAt) > maxGapMs(usualIntervalMs);
}

/** Whether a breach that began at `pendingSince` has lasted less than the duration of the threshold. */
export function isBeforeFiring(level: CompiledLevel, pending: AlertInstanceState, time: number): boolean {
  return time < pending.pendingSince + level.durationMs;
}

/** The maximum time between two samples of one pending breach, in ms. */
export function maxGapMs(usualIntervalMs: number): number {
  return Math.max(INTERVALS_OF_A_GAP * usualIntervalMs, MIN_GAP_MS);
}

/** The first breach of an inactive instance: pending, or firing immediately if the rule has no duration. */
function begin(
  level: CompiledLevel,
  time: number,
  value: number,
  pending: readonly TransitionKind[],
  firedAtOnce: readonly TransitionKind[],
): Verdict {
  const next = fired(level, time, time, value);
  if (level.durationMs === 0) return { next, transitions: firedAtOnce };
  next.state = 'pending';
  next.firedAt = null;
  next.valueAtFire = null;
  return { next, transitions: pending };
}

function fired(level: CompiledLevel, pendingSince: number, time: number, value: number): AlertInstanceState {
  return {
    state: 'firing',
    pendingSince,
    clearSince: null,
    evaluatedAt: time,
    value,
    peakValue: value,
    flapCount: 0,
    firedAt: time,
    valueAtFire: value,
    severity: level.severity,
    levels: null,
    noData: false,
    missed: 0,
  };
}

function evaluateFiring(
  level: CompiledLevel,
  previous: AlertInstanceState,
  time: number,
  value: number,
  breach: boolean,
): Verdict {
  const next = seen(level, previous, time, value);
  if (breach || !level.clears(value)) return { next, transitions: NOTHING };
  if (level.keepFiringMs === 0) return { next: null, transitions: RESOLVED };
  next.state = 'recovering';
  next.clearSince = time;
  return { next, transitions: RECOVERING };
}

/** A value between recovery threshold and threshold leaves a recovering alert as it is. */
function evaluateRecovering(
  level: CompiledLevel,
  previous: AlertInstanceState,
  time: number,
  value: number,
  breach: boolean,
): Verdict {
  const next = seen(level, previous, time, value);
  if (breach) {
    next.state = 'firing';
    next.clearSince = null;
    next.flapCount += 1;
    return { next, transitions: REFIRED };
  }
  const clearSince = previous.clearSince ?? time;
  if (time >= clearSince + level.keepFiringMs) return { next: null, transitions: RESOLVED };
  next.clearSince = clearSince;
  return { next, transitions: NOTHING };
}

function seen(
  level: CompiledLevel,
  previous: AlertInstanceState,
  time: number,
  value: number,
): AlertInstanceState {
  const { peakValue } = previous;
  const isPeak = peakValue === null || level.isWorse(value, peakValue);
  const severity = level.severity;
  return {
    ...previous,
    evaluatedAt: time,
    value,
    peakValue: isPeak ? value : peakValue,
    severity,
    levels: null,
    missed: 0,
  };
}
