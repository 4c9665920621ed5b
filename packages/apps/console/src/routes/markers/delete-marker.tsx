import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/ask-dialog.tsx';
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
    <AskDialog
      title="Delete the marker?"
      action="Delete the marker"
      busy="Deleting …"
      acting={remove}
      onClose={onClose}
    >
      <p>
        “{visibleText(title)}” of <Time at={at} />. Charts no longer show it; investigations that named it
        already go on doing so.
      </p>
    </AskDialog>
  );
}
