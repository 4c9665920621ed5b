import { useSyncExternalStore } from 'react';

/** What lies over the page by a command: the palette, the list of shortcuts, or the dialog that silences a host. */
export type Overlay = { kind: 'palette' } | { kind: 'shortcuts' } | { kind: 'silence'; host: string };

let current: Overlay | null = null;
const listeners = new Set<() => void>();

export function openOverlay(overlay: Overlay): void {
  set(overlay);
}

export function closeOverlay(): void {
  set(null);
}

export function useOverlay(): Overlay | null {
  return useSyncExternalStore(subscribe, () => current);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: Overlay | null): void {
  current = next;
  for (const listener of listeners) listener();
}
