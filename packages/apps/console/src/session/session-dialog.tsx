import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog/dialog.tsx';
import { problemText } from '../components/problem-text.ts';
import { Time } from '../components/time/time.tsx';
import styles from './session.module.css';
import { signOut } from './session-requests.ts';
import type { Identity } from './session-state.ts';

/** What the session is and may do, with the sign-out. */
export function SessionDialog({ identity, onClose }: { identity: Identity; onClose: () => void }) {
  const { session, organization, key, scopes, server } = identity;
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const leave = async () => {
    setBusy(true);
    setFault(null);
    try {
      await signOut();
      onClose();
    } catch (error) {
      setFault(problemText(error).detail);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Session"
      isOpen
      onClose={onClose}
      actions={
        session !== null && (
          <Button isBusy={isBusy} busy="Signing out …" onClick={leave}>
            Sign out
          </Button>
        )
      }
    >
      <dl className={styles['facts']}>
        <dt>Organization</dt>
        <dd>{organization.name}</dd>
        <dt>{key.kind === 'person' ? 'User' : 'Key'}</dt>
        <dd>{key.name}</dd>
        <dt>Scopes</dt>
        <dd>{scopes.join(', ')}</dd>
        {session !== null && (
          <>
            <dt>Signed in</dt>
            <dd>
              <Time at={session.created_at} />
            </dd>
            <dt>Ends at the latest</dt>
            <dd>
              <Time at={session.expires_at} />
            </dd>
          </>
        )}
        <dt>Tidewatch</dt>
        <dd>{server.version}</dd>
      </dl>
      {fault !== null && (
        <p role="alert" className={styles['fault']}>
          {fault}
        </p>
      )}
    </Dialog>
  );
}
