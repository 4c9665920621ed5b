import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { effectOf } from '../../live/event-effect.ts';
import { sessionState } from '../../session/session-state.ts';
import { type Alert, alertRead } from './alert-reads.ts';

/** Acknowledges one alert; throws what the client throws. */
export function acknowledge(id: string, comment: string | null = null): Promise<Alert> {
  return api.post('/api/v1/alerts/{id}/acknowledge', { params: { path: { id } }, body: { comment } });
}

/** Puts an alert, as an action answered it, into everything that is cached, as its event will. */
export function keepAlert(client: QueryClient, alert: Alert): void {
  const event = { type: 'alert.acknowledged', subject: alert.id, data: { alert } } as never;
  for (const { queryKey, state } of client.getQueryCache().getAll()) {
    const effect = effectOf(event, queryKey, state.data);
    if (effect.kind === 'data') client.setQueryData(queryKey, effect.data);
  }
}

/** Acknowledges the alert of a page at once on the screen; a refusal brings back what was there. */
export function useAcknowledge(alert: Alert) {
  const client = useQueryClient();
  const { queryKey } = alertRead(alert.id);
  return useMutation({
    mutationFn: (comment: string | null) => acknowledge(alert.id, comment),
    onMutate: async () => {
      await client.cancelQueries({ queryKey });
      const former = client.getQueryData<Alert>(queryKey);
      const session = sessionState();
      if (former && session.kind === 'signed-in') {
        const { id: key_id, name } = session.identity.key;
        client.setQueryData<Alert>(queryKey, {
          ...former,
          acknowledged_at: former.acknowledged_at ?? new Date().toISOString(),
          acknowledged_by: former.acknowledged_by ?? { key_id, name },
        });
      }
      return { former };
    },
    onError: (_error, _comment, context) => {
      if (context?.former) client.setQueryData(queryKey, context.former);
      // The refusal may mean that the alert is another one by now, such as resolved.
      void client.invalidateQueries({ queryKey });
    },
    onSuccess: (answer) => keepAlert(client, answer),
  });
}
