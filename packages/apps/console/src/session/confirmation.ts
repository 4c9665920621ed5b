import { useSyncExternalStore } from 'react';

/** Requests that wait for a confirmation; several may, but one dialog asks. */
let waiting: ((confirmed: boolean) => void)[] = [];
const listeners = new Set<() => void>();

/** Opens the dialog "Confirm it is you"; resolves to whether the user confirmed. */
export function askConfirmation(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting = [...waiting, resolve];
    notify();
  });
}

/** Ends the question: requests that wait for it continue, or fail as the server refused them. */
export function settleConfirmation(confirmed: boolean): void {
  const settled = waiting;
  waiting = [];
  notify();
  for (const resolve of settled) resolve(confirmed);
}

export function useConfirmationAsked(): boolean {
  return useSyncExternalStore(subscribe, isAsked);
}

function isAsked(): boolean {
  return waiting.length > 0;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notify(): void {
  for (const listener of listeners) listener();
}
