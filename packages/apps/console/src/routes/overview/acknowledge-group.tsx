import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { visibleText } from '../../components/visible-text.ts';
import type { Alert } from '../../live/alert-filter.ts';
import { useAcknowledgeAll } from '../alerts/acknowledge-all.ts';
import styles from './overview-page.module.css';

interface AcknowledgeGroupProps {
  name: string;
  /** The alerts that nobody has acknowledged. */
  open: readonly Alert[];
  onClose: () => void;
}

/** Names the alerts before they are acknowledged: one that fires meanwhile is left out. */
export function AcknowledgeGroup({ name, open, onClose }: AcknowledgeGroupProps) {
  const [named] = useState(open);
  const { progress, failures, run } = useAcknowledgeAll();
  const left =
    failures.length > 0 ? named.filter(({ id }) => failures.some((each) => each.id === id)) : named;
  const acknowledgeAll = async () => {
    const failed = await run(left);
    if (failed.length === 0) onClose();
  };
  return (
    <Dialog
      title={`Acknowledge ${left.length} ${left.length === 1 ? 'alert' : 'alerts'}: ${name}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button
            kind="primary"
            isBusy={progress !== null}
            busy={progress ? `${progress.done} of ${progress.of} …` : ''}
            onClick={() => void acknowledgeAll()}
          >
            Acknowledge {left.length}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <p>These alerts stay active, and say that somebody looks after them:</p>
      <ul className={styles['named']}>
        {left.map(({ id, summary }) => (
          <li key={id}>{visibleText(summary)}</li>
        ))}
      </ul>
      {failures.length > 0 && (
        <ul role="alert" className={styles['failures']}>
          {failures.map(({ id, name: alert, detail }) => (
            <li key={id}>
              {alert}: {detail}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
