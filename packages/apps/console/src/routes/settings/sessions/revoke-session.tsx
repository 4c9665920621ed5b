import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { AskDialog } from '../../../components/dialog/ask-dialog.tsx';
import { signOut } from '../../../session/session-requests.ts';
import styles from '../settings.module.css';
import { type Session, sessionName } from './session-line.tsx';

/** Ends a session after a question. That of this browser is signed out. */
export function RevokeSession({ session, onClose }: { session: Session; onClose: () => void }) {
  const client = useQueryClient();
  const { id, current } = session;
  const revoke = useMutation({
    mutationFn: async () => {
      if (current) await signOut();
      else await api.delete('/api/v1/sessions/{id}', { params: { path: { id } } });
    },
    onSuccess: () => {
      onClose();
      void client.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return (
    <AskDialog title="Revoke the session" action="Revoke" busy="Revoking …" acting={revoke} onClose={onClose}>
      <p>
        <bdi>{sessionName(session)}</bdi>{' '}
        {current
          ? 'is this browser: it is signed out at once.'
          : 'is signed out within ten seconds. What is typed there stays on its page.'}
      </p>
      <p className={styles['muted']}>The key goes on working, also for signing in again.</p>
    </AskDialog>
  );
}
