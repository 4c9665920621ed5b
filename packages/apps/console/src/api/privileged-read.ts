import type { QueryFunctionContext } from '@tanstack/react-query';
import type { TidewatchClient } from '@tidewatch/api-client/client';
import { api, quietApi } from './client.ts';

/**
 * The client of a read for which a session has to be confirmed. What somebody has just asked for, such as a page or its
 * continuation, opens the dialog "Confirm it is you". Reading again what is shown already fails instead: a dialog that nobody
 * asked for would interrupt.
 */
export function privilegedClient({
  client,
  queryKey,
}: Pick<QueryFunctionContext, 'client' | 'queryKey'>): TidewatchClient {
  const state = client.getQueryState(queryKey);
  const isAskedFor = state?.data === undefined || state.fetchMeta?.fetchMore !== undefined;
  return isAskedFor ? api : quietApi;
}

const isShown = ({ state }: { state: { data: unknown } }) => state.data !== undefined;

/** Options of such reads: what was refused is asked for again by the user alone. */
export const PRIVILEGED = { refetchOnWindowFocus: isShown, refetchOnReconnect: isShown } as const;
