import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '@tidewatch/api-client/problem';
import type { Schema } from '@tidewatch/api-client/schema';
import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { plainClient } from '../../api/client.ts';
import { useEventLog } from '../../live/event-log.ts';
import { hostsOfEvents, type ReportedHost } from './hosts-of-events.ts';

const POLL_MS = 3 * SECOND_MS;
/** Hosts that the page shows at most. */
export const MAX_SHOWN = 10;

export type CreatedKey = Schema<'CreatedKey'>;

/**
 * The hosts that have reported since the key was created, the first one first: at once those that are new or came back,
 * by their events, and a few seconds later those for which the key was used. `isUsed` is undefined until it is known.
 */
export function useReportedHosts(key: CreatedKey): {
  hosts: readonly ReportedHost[];
  isUsed: boolean | undefined;
} {
  const { events } = useEventLog();
  const { data } = useQuery({
    queryKey: ['key-uses', key.id],
    // The plain client: what is polled opens no dialog for a confirmation.
    queryFn: async ({ signal }) => {
      const { id } = key;
      const detail = await plainClient.get('/api/v1/keys/{id}', { params: { path: { id } }, signal });
      const names = detail.recent_hosts.map(({ host }) => host).slice(0, MAX_SHOWN);
      const hosts = await Promise.all(names.map((name) => findHost(name, signal)));
      return { isUsed: detail.last_used_at !== null, hosts: hosts.filter((host) => host !== undefined) };
    },
    refetchInterval: ({ state }) => !isRefused(state.error) && POLL_MS,
  });
  const hosts = new Map<string, ReportedHost>();
  for (const host of [...hostsOfEvents(events, key), ...(data?.hosts ?? [])])
    if (!hosts.has(host.id)) hosts.set(host.id, host);
  return { hosts: [...hosts.values()].slice(0, MAX_SHOWN), isUsed: hosts.size > 0 || data?.isUsed };
}

/** Whether the server will answer the same tomorrow, unlike one that is restarted or busy. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && [401, 403, 404].includes(error.status);
}

async function findHost(name: string, signal: AbortSignal): Promise<ReportedHost | undefined> {
  const query = { q: name, limit: 100, fields: 'id,name' } as const;
  const page = await plainClient.get('/api/v1/services', { params: { query }, signal });
  const services = typeof page === 'object' && 'services' in page ? page.services : [];
  return services.find((service) => service.name === name);
}
