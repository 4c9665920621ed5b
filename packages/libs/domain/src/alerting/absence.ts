import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { CompiledRule } from '../rules/rule.ts';
import type { AlertInstanceState, Verdict } from './alert-instance-state.ts';

/** A container or process counts as removed after this many consecutive payloads of its host without it. */
export const PAYLOADS_UNTIL_GONE = 3;

/** A part without samples for this long before the newest one of its host's parts, ms, is gone; its history stays. */
export const PART_GONE_MS = DAY_MS;

/**
 * Applies the rule's policy for missing data to an alert instance whose metric has been missing for long enough at `at`
 * (pipeline time, ms); null where nothing changes. An alert that fired for lack of data ends at the next clear sample, that
 * is one after `lastEvaluatedAt` (the host's clock, ms; or null).
 */
export function evaluateNoData(
  rule: CompiledRule,
  previous: AlertInstanceState | null,
  lastEvaluatedAt: number | null,
  at: number,
): Verdict | null {
  const { policy, afterMs } = rule.noData;
  if (policy === 'resolve' && previous !== null) {
    return { next: null, transitions: [previous.state === 'pending' ? 'cleared' : 'resolved'] };
  }
  if (policy !== 'alert' || (previous !== null && previous.state !== 'pending')) return null;
  const next: AlertInstanceState = {
    state: 'firing',
    pendingSince: at,
    clearSince: null,
    evaluatedAt: previous?.evaluatedAt ?? lastEvaluatedAt ?? at - afterMs,
    value: null,
    peakValue: null,
    flapCount: 0,
    firedAt: at,
    valueAtFire: null,
    severity: rule.levels[0].severity,
    levels: null,
    noData: true,
    missed: 0,
  };
  return { next, transitions: previous === null ? ['fired'] : ['cleared', 'fired'] };
}

/** The effect of a payload on an alert instance whose container or process is missing from it: the third in a row ends it. */
export function evaluateMissing(previous: AlertInstanceState): Verdict {
  const missed = previous.missed + 1;
  return missed < PAYLOADS_UNTIL_GONE
    ? { next: { ...previous, missed }, transitions: [] }
    : evaluateGone(previous);
}

/** The end of an alert instance whose subject is gone. */
export function evaluateGone(previous: AlertInstanceState): Verdict {
  return { next: null, transitions: [previous.state === 'pending' ? 'cleared' : 'resolved'] };
}
