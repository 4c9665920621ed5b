import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { Suspense, useMemo } from 'react';
import { PageHeader } from '../../../components/page-header.tsx';
import { Problem } from '../../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { useVisited } from '../../../palette/use-visited.ts';
import { lazyPart } from '../../../upgrade/load-part.ts';
import shared from '../../alerts/alert/alert-page.module.css';
import { PageLink } from '../../page-link.tsx';
import { usePageId, usePageSearch, useSetPageSearch } from '../../page-state.ts';
import { type Investigation, investigationRead } from '../investigation-reads.ts';
import { Analysis, Summary } from './analysis-view.tsx';
import { EvidenceIndex } from './evidence-index.tsx';
import { Feedback } from './feedback.tsx';
import { Findings } from './findings.tsx';
import { InvestigationActions } from './investigation-actions.tsx';
import { InvestigationContext, viewOf } from './investigation-context.ts';
import { InvestigationHead } from './investigation-head.tsx';
import styles from './investigation-page.module.css';
import { InvestigationTimeline } from './investigation-timeline.tsx';
import { Recommendations } from './recommendations.tsx';
import { Unaffected } from './unaffected.tsx';

/** The conclusion does not wait for the charts. */
const CauseCharts = lazyPart(() => import('./cause-charts.tsx'), 'CauseCharts');
const EvidenceDialog = lazyPart(() => import('./evidence-dialog.tsx'), 'EvidenceDialog');

/** One investigation: what it came to, why, what to do, and the evidence of every number. Links of notifications lead here. */
export function InvestigationPage() {
  const id = usePageId();
  const { data, error, isFetching, refetch } = useQuery({
    ...investigationRead(id),
    placeholderData: undefined,
  });
  if (data === undefined) {
    if (error instanceof ApiProblem && error.status === 404) return <Missing />;
    return (
      <>
        <PageHeader title="Investigation" />
        {error ? <Problem error={error} retry={() => void refetch()} /> : <Skeleton lines={6} height={40} />}
      </>
    );
  }
  return (
    <>
      <ProgressLine isLoading={isFetching} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      <InvestigationView investigation={data} />
    </>
  );
}

function InvestigationView({ investigation }: { investigation: Investigation }) {
  useVisited('investigation', investigation.id, investigation.title);
  const view = useMemo(() => viewOf(investigation), [investigation]);
  const { evidence: asked } = usePageSearch('investigation');
  const setSearch = useSetPageSearch('investigation');
  const piece = asked === undefined ? undefined : view.evidence.get(asked);
  return (
    <InvestigationContext value={view}>
      <article className={shared['page']}>
        <div className={shared['top']}>
          <InvestigationHead />
          <div data-screen-only>
            <InvestigationActions />
          </div>
        </div>
        <Summary />
        {investigation.status === 'completed' && <Feedback key={investigation.id} />}
        <Suspense fallback={<Skeleton height={240} />}>
          <CauseCharts />
        </Suspense>
        <div className={styles['columns']}>
          <Findings />
          <div className={styles['beside']}>
            <Recommendations />
            <InvestigationTimeline />
          </div>
          <div className={styles['rest']}>
            <Unaffected />
            <Analysis />
            <EvidenceIndex />
          </div>
        </div>
      </article>
      <Suspense>
        {piece !== undefined && (
          <EvidenceDialog piece={piece} onClose={() => void setSearch({ evidence: undefined })} />
        )}
      </Suspense>
    </InvestigationContext>
  );
}

function Missing() {
  return (
    <>
      <PageHeader title="Not found" />
      <p>
        There is no investigation at this address.{' '}
        <PageLink page="investigations">Open the investigations</PageLink>
      </p>
    </>
  );
}
