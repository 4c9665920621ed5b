import { useQuery } from '@tanstack/react-query';
import { summaryRead } from '../../api/summary.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { PageLink } from '../page-link.tsx';
import { usePageSearch } from '../page-state.ts';
import { Attention } from './attention.tsx';
import { LastNight } from './last-night-view.tsx';
import { NotDelivered } from './not-delivered.tsx';
import styles from './overview-page.module.css';
import { Setup } from './setup.tsx';
import { StatusCounts } from './status-counts.tsx';
import { useDisplay } from './use-display.ts';

/** What is wrong now, what happened overnight, and what was not delivered. */
export function OverviewPage() {
  const { data, error, isFetching, refetch } = useQuery(summaryRead());
  const { display } = usePageSearch('overview');
  const { isDisplay, isOwnSession } = useDisplay(display === true);
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          !isOwnSession && (
            <PageLink page="overview" search={isDisplay ? {} : { display: true }}>
              {isDisplay ? 'Leave the display' : 'Show on a wall'}
            </PageLink>
          )
        }
      />
      <ProgressLine isLoading={isFetching && data !== undefined} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      <div className={styles['page']}>
        {data === undefined ? !error && <Skeleton height={24} /> : <StatusCounts summary={data} />}
        <Attention summary={data} canAct={!isDisplay} />
        <div className={styles['columns']}>
          <LastNight isReady={data !== undefined || error !== null} />
          {data !== undefined && <NotDelivered summary={data} />}
        </div>
        {data !== undefined && !isDisplay && <Setup summary={data} />}
      </div>
    </>
  );
}
