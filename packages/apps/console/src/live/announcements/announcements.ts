import type { Event } from '@tidewatch/api-client/events';
import { useSyncExternalStore } from 'react';
import { visibleText } from '../../components/visible-text.ts';

/** Assistive technology reads at most one sentence in this time, ms. */
export const MIN_ANNOUNCEMENT_MS = 10_000;

/** What is announced of so many alerts that fired: the summary of one, the number of several. */
export function announcementOf(count: number, summary: string): string {
  return count === 1 ? `New alert: ${visibleText(summary)}` : `${count} new alerts.`;
}

let sentence = '';
/** How many alerts wait to be announced, and the summary of the last. */
let waiting = 0;
let lastSummary = '';
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Announces alerts that fired; those that come too soon after the last sentence are announced together. */
export function announceAlerts(events: readonly Event[]): void {
  for (const { type, data } of events) {
    if (type !== 'alert.fired' || !('alert' in data) || data.alert.shadow) continue;
    waiting += 1;
    lastSummary = data.alert.summary;
  }
  if (timer === undefined) announce();
}

function announce(): void {
  timer = undefined;
  if (waiting === 0) return;
  sentence = announcementOf(waiting, lastSummary);
  waiting = 0;
  timer = setTimeout(announce, MIN_ANNOUNCEMENT_MS);
  for (const listener of listeners) listener();
}

export function useAnnouncement(): string {
  return useSyncExternalStore(subscribe, () => sentence);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
