import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../api/client.ts';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog/dialog.tsx';
import { problemText } from '../../../components/problem-text.ts';
import { visibleText } from '../../../components/visible-text.ts';
import { useSession } from '../../../session/session-state.ts';
import styles from '../settings.module.css';
import type { Key } from './key-words.ts';

/** Revokes a key, once its name was typed. */
export function RevokeKey({ value, onClose }: { value: Key; onClose: () => void }) {
  const client = useQueryClient();
  const session = useSession();
  const [typed, setTyped] = useState('');
  const { id, name } = value;
  const shown = visibleText(name);
  // Names are shown with control characters as escapes, which nobody could type otherwise.
  const isTyped = typed === name || typed === shown;
  const isOwn = session.kind === 'signed-in' && session.identity.key.id === id;
  const revoke = useMutation({
    mutationFn: () => api.delete('/api/v1/keys/{id}', { params: { path: { id } } }),
    onSuccess: () => {
      onClose();
      void client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTyped && !revoke.isPending) revoke.mutate();
  };
  return (
    <Dialog title={`Revoke ${shown}`} isOpen onClose={onClose}>
      <form onSubmit={submit} className={styles['form']}>
        <p>
          Within ten seconds everything that uses this key is refused, and its sessions end. It cannot be
          undone.
          {isOwn && ' This browser is signed in with it, and is signed out.'}
        </p>
        <label className={styles['form']}>
          <span>
            Type the name of the key: <bdi>{shown}</bdi>
          </span>
          <input
            value={typed}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
        {revoke.error && (
          <p role="alert" className={styles['fault']}>
            {problemText(revoke.error).detail}
          </p>
        )}
        <div className={styles['actions']}>
          <Button type="submit" kind="danger" disabled={!isTyped} isBusy={revoke.isPending} busy="Revoking …">
            Revoke the key
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
