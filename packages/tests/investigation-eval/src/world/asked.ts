import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { alertWindow } from '@tidewatch/domain/investigation/window';
import type { Setting } from '../incident.ts';
import type { Firing } from './rule.ts';

/** How long after the first breach a person asks about a window that begins with it, ms. */
const ASKED_AFTER_MS = 15 * MINUTE_MS;

/** What an investigation is asked about, and what is known; times in ms. */
export interface Asked {
  readonly from: number;
  readonly to: number;
  readonly historyFrom: number;
  /** Before this nothing was reported. */
  readonly knownFrom: number;
  /** Whether an alert is investigated, rather than a metric in a window that a person chose. */
  readonly byAlert: boolean;
}

/**
 * The window of an incident: that of its alert, or one whose first sample is already in trouble. The first sample of a new host is
 * in trouble too, with no history before it.
 */
export function askedOf(
  { view, delayMs }: Setting,
  { pendingSince, firedAt }: Firing,
  historyHours: number,
): Asked {
  const now = firedAt + delayMs + 1;
  if (view === 'amid the trouble') {
    const to = Math.max(now, pendingSince + ASKED_AFTER_MS);
    const historyFrom = pendingSince - historyHours * HOUR_MS;
    return { from: pendingSince, to, historyFrom, knownFrom: historyFrom, byAlert: false };
  }
  const { from } = alertWindow({ pendingSince, firedAt, resolvedAt: null }, now);
  const historyFrom = from - historyHours * HOUR_MS;
  const knownFrom = view === 'new host' ? pendingSince : historyFrom;
  return { from, to: now, historyFrom, knownFrom, byAlert: true };
}
