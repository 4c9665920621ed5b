import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts } from '../facts.ts';
import { symptomOf } from '../symptom/symptom.ts';
import { comparedStep } from '../window.ts';
import { MIN_HISTORY } from './departure.ts';

/** How much of the data of other hosts is reserved for their history, ms. */
const HISTORY_MS = 30 * MINUTE_MS;
/** How much of the time before the window is read of other hosts at most, ms. */
const MAX_BEFORE_MS = 6 * HOUR_MS;

/** How long before its alert became pending a trouble may have begun at least, ms, however little is known. */
const MIN_AHEAD_MS = MINUTE_MS;

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
  if (shift === null || shift.score < MIN_SHIFT) return Math.min(outlook.doubtFrom, earliestBegin(facts));
  return shift.startedAt - STEPS_AHEAD * comparedStep(facts);
}

/**
 * The earliest time at which the trouble of a host that is known for a few minutes may have begun, ms: a minute before the alert became
 * pending, within the window, as far as enough values for a usual range are left before it. Infinite where that does not apply.
 */
function earliestBegin(facts: Facts): number {
  const { alert, from } = facts;
  const first = symptomOf(facts).metric?.history.times[0];
  if (alert === null || first === undefined || first > from) return Number.POSITIVE_INFINITY;
  const begin = Math.max(from, alert.pendingSince - MIN_AHEAD_MS);
  return begin - first >= MIN_HISTORY * comparedStep(facts) ? begin : Number.POSITIVE_INFINITY;
}

/** The same for other hosts, of which less is read. */
export function troubleBeginOfPeers(facts: Facts): number {
  return Math.max(troubleBegin(facts), Math.min(facts.from, facts.peersFrom + HISTORY_MS));
}

/**
 * The time before which values of other hosts are usual where their metrics are chosen (`comparedMetrics`), ms: the earliest
 * possible start of the trouble, or its start if the symptom shows an earlier one. An alert may fire hours after it.
 * @param own the facts without other hosts, of which nothing has been read yet
 */
export function comparedSince(own: Facts): number {
  return Math.min(symptomOf(own).outlook.doubtFrom, troubleBeginOfPeers(own));
}

/**
 * From when on other hosts are read, ms: earlier than `own.peersFrom` where the symptom shows that the trouble began so early that too
 * little from before it would be known of them.
 * @param own the facts without other hosts, of which nothing has been read yet
 */
export function peersFromOf(own: Facts): number {
  const wanted = Math.floor((troubleBegin(own) - HISTORY_MS) / MINUTE_MS) * MINUTE_MS;
  const earliest = Math.max(own.historyFrom, own.from - MAX_BEFORE_MS);
  return Math.min(own.peersFrom, Math.max(earliest, wanted));
}
