import styles from './status.module.css';
import { type Shape, STATUS_KINDS, statusKind } from './status-kinds.ts';

const DRAWINGS: Readonly<Record<Shape, React.ReactNode>> = {
  disc: <circle cx="8" cy="8" r="6" fill="currentColor" />,
  triangle: <path d="M8 1.5 15 14H1Z" fill="currentColor" />,
  diamond: <path d="M8 .5 15.5 8 8 15.5.5 8Z" fill="currentColor" />,
  hollow: <rect x="2.5" y="2.5" width="11" height="11" fill="none" stroke="currentColor" strokeWidth="2" />,
  striped: (
    <path d="M2 3h12M2 6.3h12M2 9.6h12M2 13h12M2.7 2v12M13.3 2v12" stroke="currentColor" strokeWidth="1.6" />
  ),
  info: (
    <g fill="none" stroke="currentColor" strokeWidth="1.6">
      <circle cx="8" cy="8" r="6.2" />
      <path d="M8 7v5M8 4v1.4" />
    </g>
  ),
  ring: (
    <circle
      cx="8"
      cy="8"
      r="5.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeDasharray="1.6 2.7"
    />
  ),
};

/** The shape of a status or severity, in its colour. It is hidden from assistive technology: a word stands beside it. */
export function StatusShape({ status, size = 12 }: { status: string; size?: number }) {
  const kind = statusKind(status);
  return (
    <svg
      className={`${styles['shape']} ${styles[kind]}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {DRAWINGS[STATUS_KINDS[kind].shape]}
    </svg>
  );
}

/** A status or severity by its shape, its colour and its word. `children` replace the word, such as "3 critical". */
export function Status({ status, children }: { status: string; children?: React.ReactNode }) {
  const kind = statusKind(status);
  return (
    <span className={styles['status']}>
      <StatusShape status={status} />
      <span className={styles[`${kind}Text`]}>
        {children ?? (kind === 'unknown' ? status : STATUS_KINDS[kind].word)}
      </span>
    </span>
  );
}
