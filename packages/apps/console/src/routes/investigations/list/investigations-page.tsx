import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { useMemo } from 'react';
import { PageHeader } from '../../../components/page-header.tsx';
import { Problem } from '../../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { serverNow } from '../../../components/time/clock.ts';
import { usePageSearch } from '../../page-state.ts';
import { investigationsRead } from '../investigation-reads.ts';
import { InvestigationFilters } from './investigation-filters.tsx';
import { InvestigationList } from './investigation-list.tsx';
import { investigationFilterOf } from './investigations-query.ts';

type Pages = InfiniteData<Schema<'InvestigationsPage'>, string | null>;

/** Investigations of the organization, the newest first. */
export function InvestigationsPage() {
  const search = usePageSearch('investigations');
  // Relative times are resolved once for each question, so that the list does not move by itself.
  const key = JSON.stringify(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the search.
  const filter = useMemo(() => investigationFilterOf(search, serverNow()), [key]);
  const list = useInfiniteQuery({
    ...investigationsRead(filter),
    // The former list stays until this one is here.
    placeholderData: (former: Pages | undefined) => former,
  });
  const { data, error, isFetching, isPlaceholderData, refetch } = list;
  const shown = isPlaceholderData ? 'former' : key;
  return (
    <>
      <PageHeader title="Investigations" />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      <InvestigationFilters />
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={8} height={36} />
      ) : (
        <InvestigationList
          key={shown}
          list={shown}
          pages={data.pages}
          loadMore={list.hasNextPage && !list.isFetchingNextPage ? list.fetchNextPage : undefined}
        />
      )}
    </>
  );
}
