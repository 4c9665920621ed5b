import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/ask-dialog.tsx';
import { keepAlert } from './acknowledge.ts';
import styles from './alert-dialogs.module.css';
import type { Alert } from './alert-reads.ts';
import { alertName } from './alert-words.ts';

/** Asks before an alert is resolved by hand. */
export function ResolveDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const client = useQueryClient();
  const [comment, setComment] = useState('');
  const resolve = useMutation({
    mutationFn: () =>
      api.post('/api/v1/alerts/{id}/resolve', {
        params: { path: { id: alert.id } },
        body: { comment: comment.trim() || null },
      }),
    onSuccess: (answer) => {
      keepAlert(client, answer);
      onClose();
    },
  });
  return (
    <AskDialog
      title="Resolve the alert?"
      action={`Resolve ${alertName(alert)}`}
      busy="Resolving …"
      cancel="Cancel"
      acting={resolve}
      onClose={onClose}
    >
      <p>If the breach goes on, the next sample begins another alert.</p>
      <label className={styles['field']}>
        Comment
        <input value={comment} maxLength={2_000} onChange={(event) => setComment(event.target.value)} />
      </label>
    </AskDialog>
  );
}
