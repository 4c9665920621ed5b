import { useEffect, useState } from 'react';
import styles from './skeleton.module.css';

/**
 * A placeholder while content loads: nothing for 200 ms, then blocks as large as the content: `lines` of text, or one
 * block of `height` px.
 */
export function Skeleton({ lines = 1, height = 20 }: { lines?: number; height?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label="Loading" className={isShown ? styles['blocks'] : styles['waiting']}>
      {Array.from({ length: lines }, (_, line) => (
        // The blocks are all alike and never move.
        // biome-ignore lint/suspicious/noArrayIndexKey: they have nothing else
        <div key={line} className={styles['block']} style={{ height }} />
      ))}
    </div>
  );
}

/** A thin line at the top while newer data load for more than half a second. */
export function ProgressLine({ isLoading }: { isLoading: boolean }) {
  return isLoading ? <div className={styles['progress']} aria-hidden="true" /> : null;
}
