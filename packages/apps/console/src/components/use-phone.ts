import { useSyncExternalStore } from 'react';

/** Phones: the width below which the navigation is a bar at the bottom. */
const PHONE = '(max-width: 700px)';

export function isPhone(): boolean {
  return matchMedia(PHONE).matches;
}

/** Whether the window is as narrow as a phone. */
export function usePhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(PHONE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
