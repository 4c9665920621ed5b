import styles from './status.module.css';
import { SHAPE_DRAWINGS, STATUS_KINDS, statusKind, statusWord } from './status-kinds.ts';

/** The shape of a status or severity, in its colour. It is hidden from assistive technology: a word stands beside it. */
export function StatusShape({ status, size = 12 }: { status: string; size?: number }) {
  const kind = statusKind(status);
  const { d, lineWidth, dashes } = SHAPE_DRAWINGS[STATUS_KINDS[kind].shape];
  return (
    <svg
      className={`${styles['shape']} ${styles[kind]}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {lineWidth === undefined ? (
        <path d={d} fill="currentColor" />
      ) : (
        <path d={d} fill="none" stroke="currentColor" strokeWidth={lineWidth} strokeDasharray={dashes} />
      )}
    </svg>
  );
}

/** A status or severity by its shape, its colour and its word. `children` replace the word, such as "3 critical". */
export function Status({ status, children }: { status: string; children?: React.ReactNode }) {
  const kind = statusKind(status);
  return (
    <span className={styles['status']}>
      <StatusShape status={status} />
      <span className={styles[`${kind}Text`]}>{children ?? statusWord(status)}</span>
    </span>
  );
}
