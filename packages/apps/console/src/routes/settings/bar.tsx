import styles from './settings.module.css';

/** How much of a whole there is, as a bar. Words beside it say the same. */
export function Bar({ share }: { share: number }) {
  return (
    <div className={styles['bar']} aria-hidden="true">
      <div style={{ width: `${Math.min(Math.max(share, 0), 1) * 100}%` }} />
    </div>
  );
}
