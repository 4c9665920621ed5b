import { useQuery } from '@tanstack/react-query';
import { ApiProblem } from '@tidewatch/api-client/problem';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { Suspense, useCallback, useState } from 'react';
import { PageHeader } from '../../../components/page-header.tsx';
import { Problem } from '../../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../../components/skeleton.tsx';
import { useReveal } from '../../../components/use-reveal.ts';
import { useVisited } from '../../../palette/use-visited.ts';
import { lazyPart } from '../../../upgrade/load-part.ts';
import { investigationRead } from '../../investigations/investigation-reads.ts';
import { PageLink } from '../../page-link.tsx';
import { usePageId } from '../../page-state.ts';
import { type Alert, alertRead, evidenceRead } from '../alert-reads.ts';
import { alertTitle } from '../alert-words.ts';
import { AlertActions } from './alert-actions.tsx';
import { AlertFacts } from './alert-facts.tsx';
import { AlertHead } from './alert-head.tsx';
import styles from './alert-page.module.css';
import { AlertSections } from './alert-sections.tsx';
import { LikelyCause } from './likely-cause-view.tsx';
import { NotInvestigated } from './not-investigated.tsx';
import { Processes } from './processes.tsx';
import { markersRead } from './timeline-view.tsx';

/** The sentence and the buttons do not wait for the chart. */
const AlertChart = lazyPart(() => import('./alert-chart.tsx'), 'AlertChart');

/** The height of a chart with one lane, px. */
const CHART_HEIGHT = 300;

/** One alert: what happened in one sentence, what may be the cause, and what to do about it. */
export function AlertPage() {
  const id = usePageId();
  const { data, error, isFetching, refetch } = useQuery({ ...alertRead(id), placeholderData: undefined });
  if (data === undefined) {
    if (error instanceof ApiProblem && error.status === 404) return <Missing />;
    return (
      <>
        <PageHeader title="Alert" />
        {error ? <Problem error={error} retry={() => void refetch()} /> : <Skeleton lines={6} height={40} />}
      </>
    );
  }
  return (
    <>
      <ProgressLine isLoading={isFetching} />
      {error && <Problem error={error} retry={() => void refetch()} />}
      <AlertView alert={data} />
    </>
  );
}

function AlertView({ alert }: { alert: Alert }) {
  useVisited('alert', alert.id, `${alert.host}: ${alert.rule_name}`);
  const evidence = useQuery(evidenceRead(alert.id));
  const { investigation_id } = alert;
  const investigation = useQuery({
    ...investigationRead(investigation_id ?? ''),
    enabled: investigation_id !== null,
    placeholderData: undefined,
  });
  const markers = useQuery(markersRead(alert));
  const [isChartSettled, setChartSettled] = useState(false);
  const onChartSettled = useCallback(() => setChartSettled(true), []);
  // Everything is read at once, and each part appears below those that have their size.
  const isCauseRead = investigation_id === null || !investigation.isPending;
  const showsMain = useReveal(isCauseRead);
  const isTimelineRead = isCauseRead && !evidence.isPending && !markers.isPending;
  const showsSections = useReveal(isTimelineRead && isChartSettled);
  return (
    <article className={styles['page']}>
      <div className={styles['top']}>
        <AlertHead alert={alert} windowTitle={alertTitle(alert)} />
        <AlertActions alert={alert} />
      </div>
      <div className={styles['columns']}>
        <div className={styles['main']} aria-busy={!showsSections}>
          {showsMain ? (
            <>
              <LikelyCause
                investigationId={investigation_id}
                investigation={investigation.data}
                error={investigation.error}
              />
              <Processes alert={alert} />
              <NotInvestigated alert={alert} />
              <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
                <AlertChart alert={alert} onSettled={onChartSettled} />
              </Suspense>
            </>
          ) : (
            <Skeleton height={CHART_HEIGHT} />
          )}
          {showsSections && (
            <AlertSections
              alert={alert}
              unit={unitOf(alert.metric)}
              evidence={evidence.data}
              evidenceError={evidence.error}
              investigation={investigation.data}
              markers={markers.data ?? []}
            />
          )}
        </div>
        <AlertFacts alert={alert} />
      </div>
    </article>
  );
}

function Missing() {
  return (
    <>
      <PageHeader title="Not found" />
      <p>
        There is no alert at this address. <PageLink page="alerts">Open the alerts</PageLink>
      </p>
    </>
  );
}
