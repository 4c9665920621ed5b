import { useEffect, useRef, useState } from 'react';

/** A pause in typing that makes what was typed an entry of the history, ms. */
const PAUSE_MS = 1_000;
/** Keys that follow faster change the URL once, ms. */
const MIN_CHANGE_MS = 150;

/**
 * A field whose text is a parameter of the URL. Typing replaces the entry of the history; the first key after a pause adds
 * one, so that Back returns to what was asked before.
 */
export function useTypedParameter(value: string, change: (value: string, replace: boolean) => void) {
  const [typed, setTyped] = useState<string | null>(null);
  const lastChange = useRef(Number.NEGATIVE_INFINITY);
  const current = useRef(change);
  useEffect(() => {
    current.current = change;
  });
  useEffect(() => {
    if (typed === null) return;
    const timer = setTimeout(() => {
      const now = Date.now();
      if (typed.trim() !== value) current.current(typed, now - lastChange.current < PAUSE_MS);
      lastChange.current = now;
      setTyped(null);
    }, MIN_CHANGE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return { value: typed ?? value, type: setTyped };
}
