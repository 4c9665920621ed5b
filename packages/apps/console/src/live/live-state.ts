import { useSyncExternalStore } from 'react';
import { clockSkewMs, holdClock } from '../components/time/clock.ts';
import { type Delay, type Freshness, freshnessOf, MAX_UNNOTICED_MS } from './freshness.ts';
import type { LinkState } from './link-state.ts';

/** What the page shows about how current it is. */
export interface LiveState {
  freshness: Freshness;
  delay: Delay | null;
}

let link: LinkState = { phase: 'connecting', startedAt: Date.now(), failures: 0, retryAt: null };
let unreachableSince: number | null = null;
let state: LiveState = { freshness: { kind: 'connecting' }, delay: null };
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export function setLink(next: LinkState): void {
  link = next;
  // Events that reach the page show that it reaches the server.
  if (next.phase === 'open') unreachableSince = null;
  refresh();
}

/** Notes that a request of this page found no server at `at`, or null that one did. */
export function setUnreachable(at: number | null): void {
  unreachableSince = at === null ? null : (unreachableSince ?? at);
  refresh();
}

export function setDelay(change: (delay: Delay | null) => Delay | null): void {
  set({ ...state, delay: change(state.delay) });
}

export function liveState(): LiveState {
  return state;
}

export function useLive(): LiveState {
  return useSyncExternalStore(onLive, liveState);
}

export function onLive(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function refresh(): void {
  clearTimeout(timer);
  const now = Date.now();
  const freshness = freshnessOf(link, unreachableSince, now);
  if (link.phase === 'lost' && freshness.kind === 'live')
    timer = setTimeout(refresh, Math.max(link.since + MAX_UNNOTICED_MS - now, 0) + 10);
  // Ages say nothing about what happened since the page was current.
  holdClock(freshness.kind === 'not-current' ? freshness.since - clockSkewMs() : null);
  set({ ...state, freshness });
}

function set(next: LiveState): void {
  state = next;
  for (const listener of listeners) listener();
}
