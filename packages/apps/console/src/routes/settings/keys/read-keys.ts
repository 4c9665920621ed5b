import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { PRIVILEGED, privilegedClient } from '../../../api/privileged-read.ts';
import type { KeyState } from './key-words.ts';

/** Keys, oldest first, page by page; `state` undefined: of any state. */
export const keysRead = (q: string | undefined, state: KeyState | undefined) =>
  infiniteQueryOptions({
    queryKey: ['keys', q ?? null, state ?? null],
    queryFn: (context) => {
      const query = {
        limit: 100,
        ...(q !== undefined && { q }),
        ...(state !== undefined && { status: state }),
        ...(context.pageParam !== null && { cursor: context.pageParam }),
      };
      return privilegedClient(context).get('/api/v1/keys', { params: { query }, signal: context.signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    ...PRIVILEGED,
  });

/** One key with the hosts that used it last. */
export const keyRead = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: (context) =>
      privilegedClient(context).get('/api/v1/keys/{id}', {
        params: { path: { id } },
        signal: context.signal,
      }),
    ...PRIVILEGED,
  });
