import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Silence } from '@tidewatch/contracts/silences/silence';
import { api } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { Problem } from '../../components/problem.tsx';

/** Asks before a silence ends, with the alerts that will be notified then. */
export function EndSilence({ silence, onClose }: { silence: Silence; onClose: () => void }) {
  const client = useQueryClient();
  const { id, matchers } = silence;
  const { data } = useQuery({
    queryKey: ['silence-preview', matchers],
    queryFn: ({ signal }) =>
      api.post('/api/v1/silences/preview', { body: { matchers: matchers as never }, signal }),
  });
  const end = useMutation({
    mutationFn: () => api.delete('/api/v1/silences/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['silences'] });
      onClose();
    },
  });
  const muted = data?.alerts.list.filter(({ silenced_by }) => silenced_by === id).length;
  return (
    <Dialog
      title="End the silence"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" isBusy={end.isPending} busy="Ending …" onClick={() => end.mutate()}>
            End the silence
          </Button>
          <Button onClick={onClose}>Keep it</Button>
        </>
      }
    >
      <p>
        {muted === undefined
          ? 'Looking up what it mutes …'
          : muted === 0
            ? 'It mutes no active alert.'
            : muted === 1
              ? '1 muted alert is still firing and will be notified.'
              : `${muted} muted alerts are still firing and will be notified.`}
      </p>
      {end.error && <Problem error={end.error} />}
    </Dialog>
  );
}
