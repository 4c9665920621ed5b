import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { summaryRead } from '../../api/summary.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { usePageSearch } from '../page-state.ts';
import { Attention } from './attention.tsx';
import { LastNight } from './last-night-view.tsx';
import { NotDelivered } from './not-delivered.tsx';
import styles from './overview-page.module.css';
import { Setup } from './setup.tsx';
import { StatusCounts } from './status-counts.tsx';

/** What is wrong now, what happened overnight, and what was not delivered. */
export function OverviewPage() {
  const { data, error, isFetching, refetch } = useQuery(summaryRead());
  const { display } = usePageSearch('overview');
  useEffect(() => {
    // A display on a wall has no navigation, and larger text.
    document.documentElement.toggleAttribute('data-display', display === true);
    return () => document.documentElement.removeAttribute('data-display');
  }, [display]);
  return (
    <>
      <PageHeader title="Overview" />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      <div className={styles['page']}>
        {data === undefined ? !error && <Skeleton height={24} /> : <StatusCounts summary={data} />}
        <Attention summary={data} />
        <div className={styles['columns']}>
          <LastNight isReady={data !== undefined || error !== null} />
          {data !== undefined && <NotDelivered summary={data} />}
        </div>
        {data !== undefined && <Setup summary={data} />}
      </div>
    </>
  );
}
