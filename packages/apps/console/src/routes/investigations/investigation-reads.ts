import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { api } from '../../api/client.ts';
import { causesFound } from '../alerts/likely-cause.ts';
import type { InvestigationFilter } from './list/investigations-query.ts';

export type Investigation = Schema<'Investigation'>;
export type InvestigationItem = Schema<'InvestigationItem'>;
export type Finding = Schema<'Finding'>;
export type Evidence = Schema<'InvestigationEvidence'>;

const PAGE_SIZE = 50;
/** The most investigations that one response of the API holds. */
const MAX_RECENT = 100;

/** One investigation in full. Events keep it current while it runs. */
export const investigationRead = (id: string) =>
  queryOptions({
    queryKey: ['investigation', id],
    queryFn: ({ signal }) => api.get('/api/v1/investigations/{id}', { params: { path: { id } }, signal }),
  });

/** A list of investigations, newest first, page by page. */
export const investigationsRead = (filter: InvestigationFilter) =>
  infiniteQueryOptions({
    queryKey: ['investigations', filter],
    queryFn: ({ pageParam, signal }) =>
      listInvestigations(
        { ...filter, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor ?? null,
  });

/**
 * What the newest completed investigations found, for lists of alerts. Nothing else of them is kept, since a hundred with
 * their findings take more memory than everything else that such a list shows.
 */
export const causesRead = () =>
  queryOptions({
    queryKey: ['investigations', { status: 'completed', limit: MAX_RECENT }],
    queryFn: async ({ signal }) => {
      const page = await listInvestigations({ status: 'completed', limit: MAX_RECENT }, signal);
      return causesFound(page.investigations);
    },
    staleTime: 30_000,
  });

/** The newest investigations, which lists of notifications link to. */
export const recentInvestigationsRead = () =>
  queryOptions({
    queryKey: ['investigations', { limit: MAX_RECENT }],
    queryFn: ({ signal }) => listInvestigations({ limit: MAX_RECENT }, signal),
    staleTime: 30_000,
  });

type Query = InvestigationFilter & { limit: number; cursor?: string };

/** A page of the list. The answer is no export, which is a text, since none is asked for. */
async function listInvestigations(query: Query, signal: AbortSignal): Promise<Schema<'InvestigationsPage'>> {
  const answer = await api.get('/api/v1/investigations', { params: { query: query as never }, signal });
  return answer as Schema<'InvestigationsPage'>;
}
