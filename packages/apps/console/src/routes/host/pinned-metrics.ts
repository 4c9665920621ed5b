import { useSyncExternalStore } from 'react';

const KEY = 'tidewatch.pinned-metrics';
const MAX_PINNED = 50;
const listeners = new Set<() => void>();
let current: readonly string[] | undefined;

/** The pinned metrics that are stored; none where nothing readable is. */
export function parsePinned(stored: string | null): string[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    if (!Array.isArray(value)) return [];
    return [...new Set(value.filter((each): each is string => typeof each === 'string'))].slice(
      0,
      MAX_PINNED,
    );
  } catch {
    return [];
  }
}

/** The metrics that this browser shows first on every host, in the order of pinning. */
export function usePinnedMetrics(): readonly string[] {
  return useSyncExternalStore(subscribe, pinned);
}

export function togglePinned(metric: string): void {
  const former = pinned();
  current = former.includes(metric)
    ? former.filter((each) => each !== metric)
    : [...former, metric].slice(-MAX_PINNED);
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A browser may refuse storage; the metrics stay pinned until the page is closed.
  }
  for (const listener of listeners) listener();
}

function pinned(): readonly string[] {
  if (current !== undefined) return current;
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    // As if nothing were stored.
  }
  current = parsePinned(stored);
  return current;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
