import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { api } from '../../api/client.ts';

export type Host = Schema<'ServiceDetail'>;

/** An open host is read once per usual interval, and no oftener than this, ms. */
const MIN_POLL_MS = 5_000;

/** The read of a host in full, which goes on while the page is visible. */
export function hostRead(id: string) {
  return queryOptions({
    queryKey: ['service', id],
    queryFn: async () => (await api.get('/api/v1/services/{id}', { params: { path: { id } } })) as Host,
    refetchInterval: ({ state }) => Math.max((state.data?.interval_seconds ?? 0) * SECOND_MS, MIN_POLL_MS),
  });
}

export function useHost(id: string) {
  return useQuery(hostRead(id));
}

/** The usual time between payloads of a host, ms; null until it is known. */
export function intervalOf(host: Host): number | null {
  return host.interval_seconds === null ? null : host.interval_seconds * SECOND_MS;
}
