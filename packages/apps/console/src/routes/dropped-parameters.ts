import type { PageName } from '@tidewatch/contracts/console/paths';
import { useSyncExternalStore } from 'react';

export interface Dropped {
  page: PageName;
  names: readonly string[];
}

let dropped: Dropped | null = null;
const listeners = new Set<() => void>();

/** Keeps the names of parameters that a page ignores, for the notice. Routers call this while they read a URL. */
export function noteDropped(page: PageName, names: readonly string[]): void {
  set({ page, names });
}

/** The parameters of the last URL that were ignored; null if there are none, or the notice was closed. */
export function droppedParameters(): Dropped | null {
  return dropped;
}

export function forgetDropped(): void {
  set(null);
}

export function useDroppedParameters(): Dropped | null {
  return useSyncExternalStore(subscribe, droppedParameters);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: Dropped | null): void {
  if (next?.page === dropped?.page && next?.names.join() === dropped?.names.join()) return;
  dropped = next;
  // Listeners are called later, since React forbids updates during the rendering that reads the URL.
  queueMicrotask(() => {
    for (const listener of listeners) listener();
  });
}
