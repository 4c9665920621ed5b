import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Verdict } from '@tidewatch/domain/investigation/verdict/verdict';
import type { AlertMoments } from '@tidewatch/store/investigations/alert-moments';
import { firedBySample } from './window.ts';

/** How long a trouble is on at least when an investigation looks again, ms: before, most causes do not show yet. */
const ENOUGH_MS = 2 * MINUTE_MS;
/** How many times as long it is on then as when it was first looked at. */
const TIMES_AS_LONG = 2;
/** A trouble that is on for longer has shown what it shows, ms. */
const MAX_TROUBLE_MS = HOUR_MS;

/** A run of an investigation that an alert began. */
export interface EndedRun {
  readonly verdict: Pick<Verdict, 'conclusion' | 'enoughAt'>;
  /** The alert that began it. */
  readonly alert: AlertMoments;
  /** Until when the run knows samples of the host, ms. */
  readonly to: number;
  /** The number of runs before this one. */
  readonly reruns: number;
}

/**
 * In how long an investigation looks again since it names no cause, ms: once its trouble is on for two minutes and, after the first run, for
 * twice as long as it was then. Null where a cause is named, its alert has resolved, or too little history is known, which is waited for.
 */
export function looksAgainAfter({ verdict, alert, to, reruns }: EndedRun): number | null {
  if (verdict.conclusion !== 'inconclusive' || verdict.enoughAt !== null) return null;
  if (alert.resolvedAt !== null || !firedBySample(alert)) return null;
  const age = Math.max(0, to - (alert.pendingSince ?? alert.firedAt));
  const wanted = reruns === 0 ? Math.max(TIMES_AS_LONG * age, ENOUGH_MS) : ENOUGH_MS;
  return age >= wanted || age > MAX_TROUBLE_MS ? null : wanted - age;
}
