import type { CompiledRule } from './rule.ts';

/** The least gap between samples that ends a pending breach. */
export const SHORTEST_GAP_MS = 5 * 60_000;
/** A gap is a multiple of the stream's usual interval. */
const INTERVALS_OF_A_GAP = 3;

/**
 * What a (rule, service, subject) remembers while it is not inactive. Times are those of samples, in ms.
 * `alertId` is null while pending; the caller mints it when a pair has fired and carries it from then on.
 */
export interface PairState {
  state: 'pending' | 'firing' | 'recovering';
  pendingSince: number;
  clearSince: number | null;
  judgedAt: number;
  value: number;
  /** The most extreme value in the condition's direction since it fired; while pending, the last value. */
  peakValue: number;
  flapCount: number;
  alertId: string | null;
  firedAt: number | null;
  valueAtFire: number | null;
}

export type TransitionKind = 'pending' | 'cleared' | 'fired' | 'recovering' | 'refired' | 'resolved';

/** What one sample did. `next` null is inactive. `transitions` is empty where only value, peak or judgedAt moved. */
export interface Verdict {
  next: PairState | null;
  transitions: readonly TransitionKind[];
}

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
 * Judges one sample of a stream against one rule: a pure step of the alert state machine.
 *
 * `previous` null is inactive. `lastJudgedAt` is the time of the last judged sample of this (rule, service) or null,
 * `usualIntervalMs` that of the stream before this sample, 0 where it is not known.
 * Null means that the pair was and stays inactive, or that the sample is older than the last one judged.
 * An inactive pair that stays inactive allocates nothing. The verdict never aliases `previous`.
 */
export function judge(
  rule: CompiledRule,
  previous: PairState | null,
  lastJudgedAt: number | null,
  time: number,
  value: number,
  usualIntervalMs: number,
): Verdict | null {
  if (lastJudgedAt !== null && time < lastJudgedAt) return null;
  const breach = rule.breaches(value);
  if (previous === null) {
    if (!breach) return null;
    return begin(rule, time, value, PENDING, FIRED);
  }
  if (time < previous.judgedAt) return null;
  if (previous.state === 'pending') {
    if (!breach) return { next: null, transitions: CLEARED };
    const since = lastJudgedAt ?? previous.judgedAt;
    if (time - since > longestGapMs(usualIntervalMs))
      return begin(rule, time, value, CLEARED_PENDING, CLEARED_FIRED);
    if (time < previous.pendingSince + rule.durationMs) {
      return { next: { ...previous, judgedAt: time, value, peakValue: value }, transitions: NOTHING };
    }
    return { next: fired(previous.pendingSince, time, value), transitions: FIRED };
  }
  return previous.state === 'firing'
    ? judgeFiring(rule, previous, time, value, breach)
    : judgeRecovering(rule, previous, time, value, breach);
}

/** The longest time between two samples that a pending breach outlives, in ms. */
export function longestGapMs(usualIntervalMs: number): number {
  return Math.max(INTERVALS_OF_A_GAP * usualIntervalMs, SHORTEST_GAP_MS);
}

/** A breach out of nothing: pending, or firing at once where the rule asks for no duration. */
function begin(
  rule: CompiledRule,
  time: number,
  value: number,
  pending: readonly TransitionKind[],
  firedAtOnce: readonly TransitionKind[],
): Verdict {
  const next = fired(time, time, value);
  if (rule.durationMs === 0) return { next, transitions: firedAtOnce };
  next.state = 'pending';
  next.firedAt = null;
  next.valueAtFire = null;
  return { next, transitions: pending };
}

function fired(pendingSince: number, time: number, value: number): PairState {
  return {
    state: 'firing',
    pendingSince,
    clearSince: null,
    judgedAt: time,
    value,
    peakValue: value,
    flapCount: 0,
    alertId: null,
    firedAt: time,
    valueAtFire: value,
  };
}

function judgeFiring(
  rule: CompiledRule,
  previous: PairState,
  time: number,
  value: number,
  breach: boolean,
): Verdict {
  const next = seen(rule, previous, time, value);
  if (breach || !rule.clears(value)) return { next, transitions: NOTHING };
  if (rule.keepFiringMs === 0) return { next: null, transitions: RESOLVED };
  next.state = 'recovering';
  next.clearSince = time;
  return { next, transitions: RECOVERING };
}

/** A value between recovery threshold and threshold neither refires nor stops the recovery. */
function judgeRecovering(
  rule: CompiledRule,
  previous: PairState,
  time: number,
  value: number,
  breach: boolean,
): Verdict {
  const next = seen(rule, previous, time, value);
  if (breach) {
    next.state = 'firing';
    next.clearSince = null;
    next.flapCount += 1;
    return { next, transitions: REFIRED };
  }
  const clearSince = previous.clearSince ?? time;
  if (time >= clearSince + rule.keepFiringMs) return { next: null, transitions: RESOLVED };
  next.clearSince = clearSince;
  return { next, transitions: NOTHING };
}

function seen(rule: CompiledRule, previous: PairState, time: number, value: number): PairState {
  const peakValue = rule.isWorse(value, previous.peakValue) ? value : previous.peakValue;
  return { ...previous, judgedAt: time, value, peakValue };
}
