import { useQuery } from '@tanstack/react-query';
import { namedSubject } from '@tidewatch/contracts/values/named-subject';
import { useMemo } from 'react';
import { Charts } from '../../../chart/chart-group.tsx';
import { findingEntries } from '../../../chart/lanes/finding-entries.ts';
import type { LaneEntry } from '../../../chart/lanes/lanes.ts';
import { MetricChart } from '../../../chart/metric-chart.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { type Alert, alertRead } from '../../alerts/alert-reads.ts';
import { alertThresholds } from '../../alerts/alert-thresholds.ts';
import { noSeriesText, seriesName } from '../../host/host-texts.ts';
import { usePageSearch, useSetPageSearch } from '../../page-state.ts';
import type { Finding, Investigation } from '../investigation-reads.ts';
import { causeOf, symptomOf } from '../main-findings.ts';
import { seriesOf, seriesPoints } from '../text/evidence-source.ts';
import { EvidenceChart } from './evidence-chart.tsx';
import { useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';

/** The metric in question and what is named as the cause, over the same time. Until there is evidence, the stored samples. */
export function CauseCharts() {
  const { investigation, evidence } = useInvestigation();
  const { from, to } = usePageSearch('investigation');
  const setSearch = useSetPageSearch('investigation');
  const alertId = investigation.alert_ids[0];
  const { data: alert } = useQuery({
    ...alertRead(alertId ?? ''),
    enabled: alertId !== undefined,
    placeholderData: undefined,
  });
  const cause = causeOf(investigation);
  const symptom = seriesOf(symptomOf(investigation), evidence);
  const causal = seriesOf(cause, evidence);
  const isSame = symptom !== undefined && symptom === causal;
  const thresholds = useMemo(() => (alert === undefined ? [] : alertThresholds(alert)), [alert]);
  const lanes = useMemo(
    () => [...alertEntries(alert), ...findingEntries(investigation)],
    [investigation, alert],
  );
  const starts = [symptom, causal].flatMap((piece) =>
    piece === undefined ? [] : (seriesPoints(piece)[0]?.t ?? []),
  );
  const range = {
    from: from ?? (starts.length === 0 ? investigation.from : new Date(Math.min(...starts)).toISOString()),
    to: to ?? investigation.to,
  };
  const live = liveSymptom(investigation);
  if (symptom === undefined && causal === undefined && live === undefined) return null;
  return (
    <section aria-label="Charts">
      <Charts from={range.from} to={range.to} onRange={(changed) => void setSearch(changed)}>
        <div className={styles['charts']}>
          {symptom !== undefined ? (
            <EvidenceChart
              title={`${isSame ? 'Symptom and cause' : 'Symptom'}: ${visibleText(investigation.metric ?? '')}`}
              piece={symptom}
              thresholds={thresholds}
              lanes={lanes}
              level={2}
            />
          ) : (
            live && (
              <MetricChart
                {...live}
                serviceId={investigation.service_id}
                host={investigation.host}
                intervalMs={null}
                thresholds={thresholds}
                lanes={lanes}
                level={2}
              />
            )
          )}
          {causal !== undefined && !isSame && (
            <EvidenceChart title={`Cause: ${causeName(cause)}`} piece={causal} lanes={lanes} level={2} />
          )}
        </div>
      </Charts>
    </section>
  );
}

/** The series of the metric in question, where the host has one. */
function liveSymptom({ metric }: Investigation) {
  if (metric === null) return undefined;
  const name = seriesName(metric);
  // A metric of a container has a series for each container, and the record does not say which one it is about.
  return name !== metric || noSeriesText(name, 'host') !== undefined ? undefined : { metric: name };
}

function causeName(cause: Finding | undefined): string {
  if (cause === undefined) return '';
  const { subject, metric, host } = cause;
  const named = namedSubject(subject);
  const who = subject.kind === 'host' ? host : `${named.kind} “${named.name}”`;
  return visibleText(metric === null ? who : `${who}, ${metric}`);
}

/** The alert at its time. */
function alertEntries(alert: Alert | undefined): LaneEntry[] {
  if (alert === undefined) return [];
  const { id, rule_name, metric, severity, fired_at, resolved_at, updated_at } = alert;
  return [
    {
      id,
      kind: 'alerts',
      name: visibleText(`Alert: ${rule_name}, ${metric}`),
      metric,
      severity,
      from: Date.parse(fired_at),
      to: Date.parse(resolved_at ?? updated_at),
      page: { name: 'alert', id },
    },
  ];
}
