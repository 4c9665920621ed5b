import { useEffect, useMemo } from 'react';
import { Charts } from '../../../chart/chart-group.tsx';
import { useLaneEntries } from '../../../chart/lanes/use-lane-entries.ts';
import { MetricChart } from '../../../chart/metric-chart.tsx';
import { intervalOf, useHost } from '../../host/host-reads.ts';
import { noSeriesText, seriesName } from '../../host/host-texts.ts';
import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import type { Alert } from '../alert-reads.ts';
import { alertThresholds } from '../alert-thresholds.ts';
import { chartRangeOf } from '../chart-range.ts';
import styles from './alert-page.module.css';

export interface AlertChartProps {
  alert: Alert;
  /** Called when the chart has its size: once its lanes are read, or at once where there is none. */
  onSettled: () => void;
}

/** The metric of the alert around the time of the breach, with its threshold and what else happened to the host. */
export function AlertChart({ alert, onSettled }: AlertChartProps) {
  const { from, to } = usePageSearch('alert');
  const setSearch = useSetPageSearch('alert');
  const subject = alert.subject.kind === 'host' ? 'host' : `${alert.subject.kind}:${alert.subject.name}`;
  const metric = seriesName(alert.metric, subject);
  const hasSeries = noSeriesText(metric, subject) === undefined;
  useEffect(() => {
    if (!hasSeries) onSettled();
  }, [hasSeries, onSettled]);
  if (!hasSeries) return null;
  const range = from === undefined && to === undefined ? chartRangeOf(alert) : { from, to };
  return (
    <section className={styles['section']} aria-label="Chart">
      <Charts from={range.from} to={range.to} onRange={(changed) => void setSearch(changed)}>
        <Chart alert={alert} metric={metric} subject={subject} onSettled={onSettled} />
      </Charts>
    </section>
  );
}

function Chart({ alert, metric, subject, onSettled }: AlertChartProps & { metric: string; subject: string }) {
  const { data: host } = useHost(alert.service_id);
  const { entries: lanes, isPending } = useLaneEntries({
    serviceId: alert.service_id,
    host: alert.host,
    tags: host?.tags ?? NO_TAGS,
  });
  useEffect(() => {
    if (!isPending) onSettled();
  }, [isPending, onSettled]);
  const thresholds = useMemo(() => alertThresholds(alert), [alert]);
  return (
    <MetricChart
      serviceId={alert.service_id}
      host={alert.host}
      metric={metric}
      subject={subject}
      intervalMs={host === undefined ? null : intervalOf(host)}
      thresholds={thresholds}
      lanes={lanes}
    />
  );
}

const NO_TAGS = {};
