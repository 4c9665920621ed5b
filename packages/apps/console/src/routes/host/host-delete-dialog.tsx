import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import { api } from '../../api/client.ts';
import { TypedNameDialog } from '../../components/dialog/typed-name-dialog.tsx';
import type { Host } from './host-reads.ts';

/** Deletes a host with its data, once its name was typed. */
export function HostDeleteDialog({ host, onClose }: { host: Host; onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.delete('/api/v1/services/{id}', { params: { path: { id: host.id } } }),
    onSuccess: async () => {
      await navigate({ to: pathOf('hosts', {}) });
      client.removeQueries({ queryKey: ['service', host.id] });
    },
  });
  return (
    <TypedNameDialog
      title={`Delete ${host.name}`}
      noun="host"
      name={host.name}
      action={`Delete ${host.name} and its data`}
      busy="Deleting …"
      acting={remove}
      onClose={onClose}
    >
      <p>
        The host leaves every list at once, its alerts end, and its samples are lost as they age out. If it
        reports again, it is a new host.
      </p>
    </TypedNameDialog>
  );
}
