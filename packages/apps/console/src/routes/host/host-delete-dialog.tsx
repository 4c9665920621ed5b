import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { problemText } from '../../components/problem-text.ts';
import styles from '../alerts/alert-dialogs.module.css';
import type { Host } from './host-reads.ts';

/** Deletes a host with its data, once its name was typed. */
export function HostDeleteDialog({ host, onClose }: { host: Host; onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const remove = useMutation({
    mutationFn: () => api.delete('/api/v1/services/{id}', { params: { path: { id: host.id } } }),
    onSuccess: async () => {
      await navigate({ to: pathOf('hosts', {}) });
      client.removeQueries({ queryKey: ['service', host.id] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed === host.name && !remove.isPending) remove.mutate();
  };
  return (
    <Dialog title={`Delete ${host.name}`} isOpen onClose={onClose}>
      <form onSubmit={submit} className={styles['form']}>
        <p>
          The host leaves every list at once, its alerts end, and its samples are lost as they age out. If it
          reports again, it is a new host.
        </p>
        <label className={styles['field']}>
          Type the name of the host: {host.name}
          <input value={typed} autoComplete="off" onChange={({ target }) => setTyped(target.value)} />
        </label>
        {remove.error && (
          <p role="alert" className={styles['fault']}>
            {problemText(remove.error).detail}
          </p>
        )}
        <div className={styles['actions']}>
          <Button
            type="submit"
            kind="danger"
            disabled={typed !== host.name}
            isBusy={remove.isPending}
            busy="Deleting …"
          >
            Delete {host.name} and its data
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
