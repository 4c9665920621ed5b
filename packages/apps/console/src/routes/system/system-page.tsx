import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { summaryRead } from '../../api/summary.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { ProgressLine, Skeleton } from '../../components/skeleton.tsx';
import { useScope } from '../../session/scopes.ts';
import { useSession } from '../../session/session-state.ts';
import { NeedsScope } from '../settings/needs-scope.tsx';
import { ReadProblem } from '../settings/read-problem.tsx';
import { Figures, LagFigure } from './figures.tsx';
import { Headline } from './headline.tsx';
import { Monitoring } from './monitoring.tsx';
import { OwnAlerts } from './own-alerts.tsx';
import { Processes } from './processes.tsx';
import { Receipts } from './receipts.tsx';
import { Retention } from './retention.tsx';
import styles from './system-page.module.css';
import { readinessRead, systemRead } from './system-reads.ts';

/** Whether Tidewatch itself can do its work, and how it does. */
export function SystemPage() {
  const { isMissing } = useScope('operator');
  const session = useSession();
  const isKnown = session.kind === 'signed-in';
  const readiness = useQuery(readinessRead());
  const system = useQuery({ ...systemRead(), enabled: isKnown && !isMissing });
  const shown = isMissing ? undefined : system.data;
  const topology = String(readiness.data?.['topology'] ?? '');
  return (
    <>
      <PageHeader title="System" />
      <ProgressLine isLoading={readiness.isFetching && readiness.data !== undefined} />
      {readiness.error && <Problem error={readiness.error} retry={() => void readiness.refetch()} />}
      <div className={styles['system']}>
        {readiness.data === undefined ? (
          !readiness.error && <Skeleton lines={4} />
        ) : (
          <Headline readiness={readiness.data} system={shown} />
        )}
        <Section title="Figures">
          {isMissing ? (
            <>
              <OwnLag />
              <NeedsScope scope="operator" what="The rest of the installation" />
            </>
          ) : (
            <>
              {system.error && (
                <ReadProblem
                  error={system.error}
                  isShown={shown !== undefined}
                  retry={() => void system.refetch()}
                />
              )}
              {shown === undefined ? !system.error && <Skeleton lines={6} /> : <Figures system={shown} />}
            </>
          )}
          <Monitoring topology={topology} />
        </Section>
        {shown !== undefined && (
          <Section title="Processes">
            <Processes processes={shown.processes} />
          </Section>
        )}
        <Section title="Alerts about Tidewatch">
          <OwnAlerts />
        </Section>
        <Section title="Retention">
          <Retention />
        </Section>
        <Section title="Ingest receipts">
          <ReceiptsOrReason />
        </Section>
      </div>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = `system-${title.toLowerCase().replaceAll(' ', '-')}`;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function OwnLag() {
  const { data } = useQuery(summaryRead());
  return data === undefined ? null : <LagFigure seconds={data.evaluation_lag_seconds} />;
}

function ReceiptsOrReason() {
  const { isMissing } = useScope('ingest');
  return isMissing ? <NeedsScope scope="admin" what="Looking up a receipt" /> : <Receipts />;
}
