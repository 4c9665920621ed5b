import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { problemText } from '../../../components/problem-text.ts';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { acknowledge, keepAlert } from '../acknowledge.ts';
import type { Alert } from '../alert-reads.ts';
import { alertName } from '../alert-words.ts';
import styles from './alerts-page.module.css';

interface Failure {
  id: string;
  name: string;
  detail: string;
}

/** Acknowledges the selected alerts one after the other, with its progress and what failed. */
export function BulkAcknowledge({
  alerts,
  onDone,
}: {
  alerts: readonly Alert[];
  onDone: (left: string[]) => void;
}) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const run = async () => {
    const failed: Failure[] = [];
    setFailures([]);
    for (const [done, alert] of alerts.entries()) {
      setProgress({ done, of: alerts.length });
      try {
        keepAlert(client, await acknowledge(alert.id));
      } catch (error) {
        failed.push({ id: alert.id, name: alertName(alert), detail: problemText(error).detail });
      }
    }
    setProgress(null);
    setFailures(failed);
    onDone(failed.map(({ id }) => id));
  };
  return (
    <div className={styles['bulk']}>
      <span>{alerts.length} selected</span>
      <ScopedButton
        isBusy={progress !== null}
        busy={progress ? `${progress.done} of ${progress.of} …` : undefined}
        onClick={run}
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
