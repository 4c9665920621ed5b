import { Suspense, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { problemText } from '../../../components/problem-text.ts';
import { useShortcuts } from '../../../keyboard/use-shortcuts.ts';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { useScope } from '../../../session/scopes.ts';
import { lazyPart } from '../../../upgrade/load-part.ts';
import { useAcknowledge } from '../acknowledge.ts';
import type { Alert } from '../alert-reads.ts';
import { silenceTarget } from '../silence-choices.ts';
import styles from './alert-page.module.css';

const SilenceDialog = lazyPart(() => import('../silence-dialog.tsx'), 'SilenceDialog');
const ResolveDialog = lazyPart(() => import('../resolve-dialog.tsx'), 'ResolveDialog');

/** Acknowledge, silence and resolve; on a phone they stand at the bottom of the screen. */
export function AlertActions({ alert }: { alert: Alert }) {
  const [open, setOpen] = useState<'silence' | 'resolve' | null>(null);
  const acknowledge = useAcknowledge(alert);
  const isResolved = alert.status === 'resolved';
  const isAcknowledged = alert.acknowledged_at !== null;
  const canWrite = !useScope('write').isMissing;
  const canAcknowledge = canWrite && !isResolved && !isAcknowledged && !acknowledge.isPending;
  useShortcuts({
    a: () => canAcknowledge && acknowledge.mutate(null),
    s: () => canWrite && setOpen('silence'),
    r: () => canWrite && !isResolved && setOpen('resolve'),
  });
  const close = () => setOpen(null);
  return (
    <div className={styles['actions']} data-screen-only>
      {acknowledge.error && (
        <div role="alert" className={styles['refusal']}>
          <p>Not acknowledged: {problemText(acknowledge.error).detail}</p>
          <Button onClick={acknowledge.reset}>Close</Button>
        </div>
      )}
      <div className={styles['buttons']}>
        <ScopedButton
          kind="primary"
          title={isResolved ? 'The alert is resolved.' : isAcknowledged ? 'The alert is acknowledged.' : 'a'}
          disabled={isResolved || isAcknowledged}
          isBusy={acknowledge.isPending}
          busy="Acknowledging …"
          onClick={() => acknowledge.mutate(null)}
        >
          {isAcknowledged ? 'Acknowledged' : 'Acknowledge'}
        </ScopedButton>
        <ScopedButton title="s" onClick={() => setOpen('silence')}>
          Silence
        </ScopedButton>
        {!isResolved && (
          <ScopedButton title="r" onClick={() => setOpen('resolve')}>
            Resolve
          </ScopedButton>
        )}
      </div>
      <Suspense>
        {open === 'silence' && <SilenceDialog {...silenceTarget(alert)} onClose={close} />}
        {open === 'resolve' && <ResolveDialog alert={alert} onClose={close} />}
      </Suspense>
    </div>
  );
}
