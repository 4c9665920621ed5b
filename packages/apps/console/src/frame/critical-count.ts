import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { summaryRead } from '../api/summary.ts';
import { setTitleCount } from './window-title.ts';

/** How many critical alerts are active; 0 until it is known. While the page is hidden its title says so. */
export function useCriticalCount(): number {
  const { data } = useQuery(summaryRead());
  const count = data?.alerts.critical.total ?? 0;
  const isHidden = useSyncExternalStore(onVisibility, () => document.hidden);
  useEffect(() => setTitleCount(isHidden ? count : 0), [isHidden, count]);
  return count;
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
