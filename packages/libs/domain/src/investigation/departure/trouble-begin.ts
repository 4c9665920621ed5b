import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts } from '../facts.ts';
import { symptomOf } from '../symptom/symptom.ts';

/** How much of the data of other hosts is reserved for their history, ms. */
const HISTORY_MS = 30 * MINUTE_MS;

/**
 * When the trouble may have begun, ms: values before it are history. Without an alert all of the window is in question;
 * with one it is the start of the symptom, or the earliest time at which the symptom may have begun.
 */
export function troubleBegin(facts: Facts): number {
  if (facts.alert === null) return facts.from;
  const { startedAt, outlook } = symptomOf(facts);
  return Math.min(startedAt, outlook.doubtFrom);
}

/** The same for other hosts, of which less is read. */
export function troubleBeginOfPeers(facts: Facts): number {
  return Math.max(troubleBegin(facts), Math.min(facts.from, facts.peersFrom + HISTORY_MS));
}
