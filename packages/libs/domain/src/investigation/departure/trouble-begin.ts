import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts } from '../facts.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { comparedStep } from '../window.ts';

/** How much of the data of other hosts is reserved for their history, ms. */
const HISTORY_MS = 30 * MINUTE_MS;

/** How many steps before its symptom a cause may show. */
const STEPS_AHEAD = 2;
/** The min probability of a change of the symptom by which the trouble is dated. */
const MIN_SHIFT = 0.5;

/**
 * When the trouble may have begun, ms: values before it are history. It is shortly before the symptom changed, or the
 * earliest time at which the symptom may have changed if it did not.
 */
export function troubleBegin(facts: Facts): number {
  const { shift, outlook } = symptomOf(facts);
  if (shift === null || shift.score < MIN_SHIFT) return outlook.doubtFrom;
  return shift.startedAt - STEPS_AHEAD * comparedStep(facts);
}

/** The same for other hosts, of which less is read. */
export function troubleBeginOfPeers(facts: Facts): number {
  return Math.max(troubleBegin(facts), Math.min(facts.from, facts.peersFrom + HISTORY_MS));
}
