import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import type { Marker } from './marker-words.ts';

/** Asks before a marker is deleted. */
export function DeleteMarker({ marker, onClose }: { marker: Marker; onClose: () => void }) {
  const client = useQueryClient();
  const { id, title, at } = marker;
  const remove = useMutation({
    mutationFn: () => api.delete('/api/v1/markers/{id}', { params: { path: { id } } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['markers'] });
      onClose();
    },
  });
  return (
    <Dialog
      title="Delete the marker?"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" isBusy={remove.isPending} busy="Deleting …" onClick={() => remove.mutate()}>
            Delete the marker
          </Button>
          <Button onClick={onClose}>Keep it</Button>
        </>
      }
    >
      <p>
        “{visibleText(title)}” of <Time at={at} />. Charts no longer show it; investigations that named it
        already go on doing so.
      </p>
      {remove.error && <Problem error={remove.error} />}
    </Dialog>
  );
}
