import { QueryClient } from '@tanstack/react-query';

/** Reads are kept while newer ones load. The client of the API retries by itself, and events make reads stale. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: false,
        staleTime: 5_000,
        // A browser that believes to be offline may reach a server of its own network.
        networkMode: 'always',
        placeholderData: (previous: unknown) => previous,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
