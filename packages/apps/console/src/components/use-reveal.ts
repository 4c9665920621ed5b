import { useEffect, useState } from 'react';

/** A part that loads for longer than this no longer holds back what stands below it, ms. */
const MAX_HELD_MS = 3_000;

/**
 * Whether a part of a page may appear: `isReady` says that all parts above it have their size, so that none of them moves it
 * afterwards. What has appeared stays.
 */
export function useReveal(isReady: boolean): boolean {
  const [isRevealed, setRevealed] = useState(isReady);
  if (isReady && !isRevealed) setRevealed(true);
  useEffect(() => {
    const timer = setTimeout(() => setRevealed(true), MAX_HELD_MS);
    return () => clearTimeout(timer);
  }, []);
  return isRevealed || isReady;
}
