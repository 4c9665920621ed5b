import { useSyncExternalStore } from 'react';

const RELOADED_AT = 'tidewatch.reloaded-at';
/** A reload that did not help is not repeated within this time, ms. */
const MIN_RELOAD_MS = 60_000;

/** The version of the server that answered first; null until one has. */
let version: string | null = null;
let isOutdated = false;
/** The path of the page in whose form somebody has typed last. */
let typedAt: string | null = null;
const listeners = new Set<() => void>();

/** Notes where somebody types, so that no reload interrupts it. To be called once. */
export function watchTyping(): void {
  const note = ({ target }: Event) => {
    if (target instanceof Element && target.closest('form') !== null) typedAt = location.pathname;
  };
  addEventListener('input', note, true);
}

/** Notes the version of the server. One that differs from the first is offered by a notice. */
export function noteVersion(next: string): void {
  if (version !== null && version !== next) offer();
  version ??= next;
}

/** The scripts of this page are gone: the page is loaded again, or, where somebody types, that is offered. */
export function noteUpgrade(): void {
  if (typedAt !== location.pathname && mayReload(Date.now())) location.reload();
  else offer();
}

/** Whether the page is one of an earlier version, and has not been loaded again. */
export function useOutdated(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOutdated,
  );
}

function offer(): void {
  isOutdated = true;
  for (const listener of listeners) listener();
}

function mayReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    sessionStorage.setItem(RELOADED_AT, String(now));
    return now - last >= MIN_RELOAD_MS;
  } catch {
    // Without storage nothing ends a loop of reloads.
    return false;
  }
}
