import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../../api/client.ts';
import { problemText } from '../../../components/problem-text.ts';
import { useKeptText } from '../../../form/kept-text.ts';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { keepAlert } from '../acknowledge.ts';
import styles from './alert-page.module.css';

/** Adds a comment to an alert, also after it has resolved. What was typed stays in this tab until it is stored or deleted. */
export function CommentForm({ alertId }: { alertId: string }) {
  const client = useQueryClient();
  const [kept, keep] = useKeptText(`comment.${alertId}`);
  const text = kept ?? '';
  const comment = useMutation({
    mutationFn: () =>
      api.post('/api/v1/alerts/{id}/comments', {
        params: { path: { id: alertId } },
        body: { comment: text.trim() },
      }),
    onSuccess: (answer) => {
      keepAlert(client, answer);
      keep(null);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !comment.isPending) comment.mutate();
  };
  return (
    <form onSubmit={submit} className={styles['comment']} data-screen-only>
      <input
        aria-label="Comment"
        placeholder="Add a comment"
        value={text}
        maxLength={2_000}
        onChange={(event) => keep(event.target.value || null)}
      />
      <ScopedButton type="submit" disabled={text.trim() === ''} isBusy={comment.isPending} busy="Adding …">
        Comment
      </ScopedButton>
      {comment.error && <span role="alert">{problemText(comment.error).detail}</span>}
    </form>
  );
}
