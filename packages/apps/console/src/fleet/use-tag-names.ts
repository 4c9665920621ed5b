import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';

/** The names of tags to choose from: those of the first hundred hosts, and the one that is in use. */
export function useTagNames(inUse: string | undefined): readonly string[] {
  const { data } = useQuery({
    queryKey: ['tag-names'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const query = { limit: 100, fields: 'tags' } as const;
      const page = await api.get('/api/v1/services', { params: { query }, signal });
      const services = typeof page === 'object' && 'services' in page ? page.services : [];
      return [...new Set(services.flatMap(({ tags }) => Object.keys(tags)))].sort();
    },
  });
  return [...new Set([...(data ?? []), ...(inUse === undefined ? [] : [inUse])])];
}
