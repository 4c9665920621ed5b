import { Button } from '../../../components/button.tsx';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { useAcknowledgeAll } from '../acknowledge-all.ts';
import type { Alert } from '../alert-reads.ts';
import styles from './alerts-page.module.css';

/** Acknowledges the selected alerts one after the other, with its progress and what failed. */
export function BulkAcknowledge({
  alerts,
  onDone,
}: {
  alerts: readonly Alert[];
  onDone: (left: string[]) => void;
}) {
  const { progress, failures, run } = useAcknowledgeAll();
  return (
    <div className={styles['bulk']}>
      <span>{alerts.length} selected</span>
      <ScopedButton
        isBusy={progress !== null}
        busy={progress ? `${progress.done} of ${progress.of} …` : undefined}
        onClick={() => void run(alerts).then((failed) => onDone(failed.map(({ id }) => id)))}
      >
        Acknowledge
      </ScopedButton>
      <Button onClick={() => onDone([])}>Clear selection</Button>
      {failures.length > 0 && (
        <ul role="alert" className={styles['failures']}>
          {failures.map(({ id, name, detail }) => (
            <li key={id}>
              {name}: {detail}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
