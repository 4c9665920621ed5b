import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Silence } from '@tidewatch/contracts/silences/silence';
import { api } from '../../api/client.ts';
import { AskDialog } from '../../components/dialog/ask-dialog.tsx';

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
    <AskDialog
      title="End the silence"
      action="End the silence"
      busy="Ending …"
      acting={end}
      onClose={onClose}
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
    </AskDialog>
  );
}
