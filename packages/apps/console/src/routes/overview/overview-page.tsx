import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { summaryRead } from '../../api/summary.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { useReveal } from '../../components/use-reveal.ts';
import { alertsRead } from '../alerts/alert-reads.ts';
import { causesRead } from '../investigations/investigation-reads.ts';
import { PageLink } from '../page-link.tsx';
import { usePageSearch } from '../page-state.ts';
import { Attention } from './attention.tsx';
import { LastNight, useLastNight } from './last-night-view.tsx';
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
  // The reads begin together, and each part appears below those that have their size.
  const isSummaryRead = data !== undefined || error !== null;
  const areAlertsRead = useAlertsRead();
  const night = useLastNight(isSummaryRead);
  const showsAlerts = useReveal(isSummaryRead);
  const showsNight = useReveal(isSummaryRead && areAlertsRead);
  const showsRest = useReveal(isSummaryRead && areAlertsRead && !night.isPending);
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
      <div className={styles['page']} aria-busy={!showsRest}>
        {data === undefined ? !error && <Skeleton height={24} /> : <StatusCounts summary={data} />}
        {showsAlerts && <Attention summary={data} canAct={!isDisplay} />}
        {showsNight && (
          <div className={styles['columns']}>
            <LastNight night={night} />
            {showsRest && data !== undefined && <NotDelivered summary={data} />}
          </div>
        )}
        {showsRest && data !== undefined && !isDisplay && <Setup summary={data} />}
      </div>
    </>
  );
}

/** Whether the alerts, and the likely causes in their lines, have arrived or failed. */
function useAlertsRead(): boolean {
  const alerts = useInfiniteQuery({ ...alertsRead({ status: 'active' }), select: anyOf });
  const hasLines = alerts.data === true;
  const causes = useQuery({ ...causesRead(), enabled: hasLines });
  return !alerts.isPending && !(hasLines && causes.isPending);
}

function anyOf({ pages }: { pages: readonly { alerts: readonly unknown[] }[] }): boolean {
  return pages.some(({ alerts }) => alerts.length > 0);
}
