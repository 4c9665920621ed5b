import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The state at a glance: counts of hosts and alerts, and what was not delivered. */
export const summaryRead = () =>
  queryOptions({
    queryKey: ['summary'],
    queryFn: ({ signal }) => api.get('/api/v1/summary', { signal }),
    staleTime: 10_000,
  });
