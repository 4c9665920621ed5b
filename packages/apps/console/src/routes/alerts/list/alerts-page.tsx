import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { useMemo } from 'react';
import { PageHeader } from '../../../components/page-header.tsx';
import { Problem } from '../../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { serverNow } from '../../../components/time/clock.ts';
import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import { alertsRead } from '../alert-reads.ts';
import { AlertFilters } from './alert-filters.tsx';
import { AlertList } from './alert-list.tsx';
import styles from './alerts-page.module.css';
import { alertFilterOf } from './alerts-query.ts';
import { AsOfRibbon } from './as-of-ribbon.tsx';
import { Histogram } from './histogram-view.tsx';

type AlertPagesData = InfiniteData<Schema<'AlertsPage'>, string | null>;

const TABS = { active: 'Active', resolved: 'Resolved', all: 'All' } as const;

/** The alerts of the organization, by default those that are active. */
export function AlertsPage() {
  const search = usePageSearch('alerts');
  const setSearch = useSetPageSearch('alerts');
  // Relative times are resolved once for each question, so that the list does not move by itself.
  const key = JSON.stringify(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the search.
  const filter = useMemo(() => alertFilterOf(search, serverNow()), [key]);
  const list = useInfiniteQuery({
    ...alertsRead(filter),
    // The former list stays until this one is here.
    placeholderData: (former: AlertPagesData | undefined) => former,
  });
  const { data, error, isFetching, isPlaceholderData, refetch } = list;
  const shown = isPlaceholderData ? 'former' : key;
  const tab = search.status ?? 'active';
  return (
    <>
      <PageHeader title="Alerts" />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      {search.as_of !== undefined && <AsOfRibbon asOf={filter.as_of ?? search.as_of} />}
      <nav className={styles['tabs']} aria-label="Status">
        {Object.entries(TABS).map(([status, word]) => (
          <button
            key={status}
            type="button"
            aria-current={status === tab || undefined}
            onClick={() => setSearch({ status: status === 'active' ? undefined : (status as 'all') })}
          >
            {word}
          </button>
        ))}
      </nav>
      <AlertFilters />
      {tab !== 'active' && <Histogram filter={filter} />}
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined ? (
        !error && <Skeleton lines={8} height={36} />
      ) : (
        <AlertList
          key={shown}
          list={shown}
          data={data}
          isPast={search.as_of !== undefined}
          loadMore={list.hasNextPage && !list.isFetchingNextPage ? list.fetchNextPage : undefined}
        />
      )}
    </>
  );
}
