import { useCallback, useSyncExternalStore } from 'react';

/** How far the browser's clock is ahead of the server's, ms; null until a response has shown it. */
let skewMs: number | null = null;
/** The time at which shown ages stop while no newer data arrive; null while ages go on. */
let heldAt: number | null = null;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
const TICK_MS = 1_000;
/** `Date` headers have whole seconds, and a response takes a moment: smaller changes of the skew are noise. */
const MIN_SKEW_CHANGE_MS = 1_500;

/** The skew after a response with this `Date` header at `now`; the former skew if it says nothing new. */
export function skewAfter(header: string | null, now: number, former: number | null): number | null {
  const sent = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(sent)) return former;
  // The `Date` header omits fractions of a second: half a second is their expected value.
  const skew = now - (sent + 500);
  return former !== null && Math.abs(skew - former) < MIN_SKEW_CHANGE_MS ? former : skew;
}

/** Sets the clock by which ages are shown from the `Date` header of a response. */
export function noteServerDate(header: string | null, now: number): void {
  skewMs = skewAfter(header, now, skewMs);
}

/** How far the browser's clock is ahead of the server's, ms; 0 until it is known. */
export function clockSkewMs(): number {
  return skewMs ?? 0;
}

/** The server's time, ms since the epoch; the held time while nothing newer is known. */
export function serverNow(): number {
  return heldAt ?? Date.now() - clockSkewMs();
}

/** Stops all shown ages at a time of the server; null lets the ages go on. */
export function holdClock(at: number | null): void {
  heldAt = at;
  for (const listener of listeners) listener();
}

/** The server's time in whole steps of `stepMs`; the component renders again at each step. */
export function useServerNow(stepMs: number = TICK_MS): number {
  const read = useCallback(() => Math.floor(serverNow() / stepMs) * stepMs, [stepMs]);
  return useSyncExternalStore(onTick, read);
}

function onTick(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
