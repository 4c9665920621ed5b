import type { Event } from '@tidewatch/api-client/events';
import { useSyncExternalStore } from 'react';

/** So many of the newest events are kept: a tab that stays open for days does not grow. */
export const MAX_LOGGED = 500;

export interface EventLog {
  /** The time by the clock of the browser since which no event is missing, ms. */
  since: number;
  /** The newest first. */
  events: readonly Event[];
  /** How many older ones were left out. */
  dropped: number;
}

let log: EventLog = emptyLog(Date.now());
const listeners = new Set<() => void>();

function emptyLog(since: number): EventLog {
  return { since, events: [], dropped: 0 };
}

/** The log after further events, which are in the order in which they came. */
export function logAfter(former: EventLog, events: readonly Event[]): EventLog {
  const all = [...events.toReversed(), ...former.events];
  const dropped = former.dropped + Math.max(all.length - MAX_LOGGED, 0);
  return { ...former, events: all.slice(0, MAX_LOGGED), dropped };
}

/** Keeps events that this tab received. */
export function logEvents(events: readonly Event[]): void {
  if (events.length > 0) set(logAfter(log, events));
}

/** Begins again: events may have been missed, or they were those of another organization. */
export function clearEventLog(): void {
  set(emptyLog(Date.now()));
}

/** The events that this tab received since it was opened. */
export function useEventLog(): EventLog {
  return useSyncExternalStore(subscribe, () => log);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: EventLog): void {
  log = next;
  for (const listener of listeners) listener();
}
