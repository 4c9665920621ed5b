import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { visibleText } from '../../components/visible-text.ts';
import type { Alert } from '../../live/alert-filter.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { useAcknowledgeAll } from '../alerts/acknowledge-all.ts';
import { PageLink } from '../page-link.tsx';
import styles from './overview-page.module.css';

/** What can be done with the alerts of one rule on many hosts: list them, and acknowledge those that nobody has yet. */
export function GroupActions({ alerts }: { alerts: readonly Alert[] }) {
  const [isAsking, setAsking] = useState(false);
  const open = alerts.filter(({ acknowledged_at }) => acknowledged_at === null);
  return (
    <span className={styles['actions']}>
      <PageLink page="alerts" search={{ rule_id: alerts[0]?.rule_id }}>
        Show all {alerts.length}
      </PageLink>
      {(open.length > 0 || isAsking) && (
        <ScopedButton onClick={() => setAsking(true)}>Acknowledge all</ScopedButton>
      )}
      {isAsking && (
        <AcknowledgeGroup name={alerts[0]?.rule_name ?? ''} open={open} onClose={() => setAsking(false)} />
      )}
    </span>
  );
}

interface AcknowledgeGroupProps {
  name: string;
  /** The alerts that nobody has acknowledged. */
  open: readonly Alert[];
  onClose: () => void;
}

/** Names the alerts before they are acknowledged: one that fires meanwhile is left out. */
function AcknowledgeGroup({ name, open, onClose }: AcknowledgeGroupProps) {
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
