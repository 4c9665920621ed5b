import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { problemText } from '../../components/problem-text.ts';
import { visibleText } from '../../components/visible-text.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import styles from './add-host.module.css';

export interface RevokeKeyProps {
  keyId: string;
  name: string;
  onRevoked: () => void;
}

/** Revokes a key that was never used, so that nothing stops. */
export function RevokeKey({ keyId, name, onRevoked }: RevokeKeyProps) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => api.delete('/api/v1/keys/{id}', { params: { path: { id: keyId } } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['keys'] });
      onRevoked();
    },
  });
  return (
    <>
      <ScopedButton
        scope="admin"
        kind="danger"
        aria-label={`Revoke the key ${visibleText(name)}`}
        isBusy={revoke.isPending}
        busy="Revoking …"
        onClick={() => revoke.mutate()}
      >
        Revoke
      </ScopedButton>
      {revoke.error && (
        <span role="alert" className={styles['fault']}>
          {problemText(revoke.error).detail}
        </span>
      )}
    </>
  );
}
