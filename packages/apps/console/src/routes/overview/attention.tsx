import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { formatCount } from '../../components/number/number-format.ts';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Ago } from '../../components/time/time.tsx';
import { useReveal } from '../../components/use-reveal.ts';
import type { Summary } from '../../live/summary-counts.ts';
import { alertsRead } from '../alerts/alert-reads.ts';
import { causesByAlert } from '../alerts/likely-cause.ts';
import { causesRead } from '../investigations/investigation-reads.ts';
import { PageLink } from '../page-link.tsx';
import { AttentionLine } from './attention-line.tsx';
import { alertsOf, attentionRows } from './attention-rows.ts';
import { markerTimesRead } from './nearby-markers.tsx';
import styles from './overview-page.module.css';

/** Lines that the overview shows; the list of alerts has the rest. */
const MAX_SHOWN = 10;

export interface AttentionProps {
  summary: Summary | undefined;
  /** Whether alerts can be acknowledged and silenced here; not on a wall. */
  canAct: boolean;
}

/** The active alerts, worst first, with what may have caused them. */
export function Attention({ summary, canAct }: AttentionProps) {
  const { data, error, refetch } = useInfiniteQuery(alertsRead({ status: 'active' }));
  const rows = useMemo(() => attentionRows(data?.pages.flatMap(({ alerts }) => alerts) ?? []), [data]);
  // The alerts come first: a cause is a remark about one of them.
  const { data: found, isPending } = useQuery({ ...causesRead(), enabled: rows.length > 0 });
  const causes = useMemo(() => causesByAlert(found ?? []), [found]);
  const { data: markerTimes = [] } = useQuery(markerTimesRead(rows.slice(0, MAX_SHOWN).flatMap(alertsOf)));
  const total = data?.pages.at(-1)?.pagination.total ?? 0;
  // A cause makes a line higher: the first line is there at once, and those below it once the causes are known.
  const showsAll = useReveal(data !== undefined && (rows.length === 0 || !isPending));
  const shown = rows.slice(0, showsAll ? MAX_SHOWN : 1);
  const left = total - shown.reduce((sum, row) => sum + countOf(row), 0);
  return (
    <section aria-labelledby="attention" className={styles['section']}>
      <h2 id="attention">Needs attention</h2>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && !error && <Skeleton lines={4} height={36} />}
      {data !== undefined && total === 0 && <NothingFires summary={summary} />}
      {shown.length > 0 && (
        // The lines of the list say the same to assistive technology.
        <div className={styles['heads']} aria-hidden="true">
          <span className={styles['since']}>firing for</span>
          <span>acknowledged</span>
        </div>
      )}
      <ul className={styles['attention']}>
        {shown.map((row) => (
          <AttentionLine
            key={keyOf(row)}
            row={row}
            causes={causes}
            markerTimes={markerTimes}
            canAct={canAct}
          />
        ))}
      </ul>
      {showsAll && left > 0 && (
        <p>
          <PageLink page="alerts">{formatCount(left)} more</PageLink>
        </p>
      )}
    </section>
  );
}

type Row = ReturnType<typeof attentionRows>[number];

const keyOf = (row: Row) => (row.kind === 'alert' ? row.alert.id : (row.alerts[0]?.rule_id ?? ''));
const countOf = (row: Row) => alertsOf(row).length + (row.kind === 'alert' ? row.folded : 0);

function NothingFires({ summary }: { summary: Summary | undefined }) {
  const { data } = useInfiniteQuery(alertsRead({ status: 'resolved' }));
  const last = data?.pages[0]?.alerts[0];
  const hosts = summary?.services.total;
  return (
    <p>
      Nothing is firing.
      {hosts !== undefined && ` ${formatCount(hosts)} ${hosts === 1 ? 'host' : 'hosts'}.`}
      {last?.resolved_at && (
        <>
          {' '}
          <PageLink page="alert" id={last.id}>
            The last alert
          </PageLink>{' '}
          resolved <Ago at={last.resolved_at} />.
        </>
      )}
    </p>
  );
}
