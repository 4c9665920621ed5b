import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { TypedNameDialog } from '../../../components/dialog/typed-name-dialog.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { useSession } from '../../../session/session-state.ts';
import type { Key } from './key-words.ts';

/** Revokes a key, once its name was typed. */
export function RevokeKey({ value, onClose }: { value: Key; onClose: () => void }) {
  const client = useQueryClient();
  const session = useSession();
  const { id, name } = value;
  const isOwn = session.kind === 'signed-in' && session.identity.key.id === id;
  const revoke = useMutation({
    mutationFn: () => api.delete('/api/v1/keys/{id}', { params: { path: { id } } }),
    onSuccess: () => {
      onClose();
      void client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <TypedNameDialog
      title={`Revoke ${visibleText(name)}`}
      noun="key"
      name={name}
      action="Revoke the key"
      busy="Revoking …"
      acting={revoke}
      onClose={onClose}
    >
      <p>
        Within ten seconds everything that uses this key is refused, and its sessions end. It cannot be
        undone.
        {isOwn && ' This browser is signed in with it, and is signed out.'}
      </p>
    </TypedNameDialog>
  );
}
