import { useSyncExternalStore } from 'react';

/** The values of each preference. The first one is the default. */
const CHOICES = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  zone: ['local', 'utc'],
  shortcuts: ['on', 'off'],
  motion: ['system', 'reduced'],
  start: ['overview', 'alerts', 'hosts', 'rules'],
} as const;

export type Preferences = { readonly [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] };

const KEY = 'tidewatch.preferences';
const listeners = new Set<() => void>();
let current: Preferences | undefined;

/** Reads stored preferences; what is missing or unknown has its default. */
export function parsePreferences(stored: string | null): Preferences {
  let given: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    if (typeof value === 'object' && value !== null) given = value as Record<string, unknown>;
  } catch {
    // Unreadable stored preferences are replaced at the next change.
  }
  const entries = Object.entries(CHOICES).map(([name, choices]) => {
    const value = given[name];
    return [name, (choices as readonly unknown[]).includes(value) ? value : choices[0]];
  });
  return Object.fromEntries(entries);
}

/** The preferences of this browser. They change in all its tabs at once. */
export function preferences(): Preferences {
  current ??= parsePreferences(stored());
  return current;
}

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...preferences(), ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A browser may refuse storage; the preference holds until the page is closed.
  }
  notify();
}

/** Calls `listener` after each change, also by another tab; returns how to stop. */
export function onPreferences(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('storage', reread);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', reread);
  };
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(onPreferences, preferences);
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function reread({ key }: StorageEvent): void {
  if (key !== KEY && key !== null) return;
  current = undefined;
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}
