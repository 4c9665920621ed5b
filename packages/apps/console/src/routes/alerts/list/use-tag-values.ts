import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { useCallback } from 'react';
import { api } from '../../../api/client.ts';

/** The value of a tag of each host; null for hosts without it, and until it is known. Nothing is read without a tag. */
export function useTagValues(tag: string | undefined): (serviceId: string) => string | null {
  const { data } = useQuery({
    queryKey: ['tag-values', tag],
    enabled: tag !== undefined,
    staleTime: 30_000,
    queryFn: ({ signal }) => readTagValues(tag ?? '', signal),
  });
  return useCallback((serviceId) => data?.get(serviceId) ?? null, [data]);
}

async function readTagValues(tag: string, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  // A comma ends a name, unless a backslash stands before it.
  const query = { tags: tag.replace(/[\\",]/g, '\\$&') };
  const { columns, tags } = (await api.get('/api/v1/services/snapshot', {
    params: { query },
    signal,
  })) as Schema<'FleetSnapshot'>;
  const { values = [], index = [] } = tags[tag] ?? {};
  return new Map(
    columns.id.flatMap((id, row) => {
      const value = values[index[row] ?? -1];
      return value === undefined ? [] : [[id, value] as const];
    }),
  );
}
