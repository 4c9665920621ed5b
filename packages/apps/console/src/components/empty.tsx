import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** One sentence and one action in place of content that does not exist: "No rule uses this channel." */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <p>{children}</p>
      {action}
    </div>
  );
}
