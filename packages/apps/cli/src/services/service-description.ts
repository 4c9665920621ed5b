import type { Schema } from '@tidewatch/api-client/schema';
import { formatAge, formatDuration } from '../output/age.ts';
import { showFacts, showSection } from '../output/facts.ts';
import { elastic, numeric } from '../output/table.ts';
import { word } from '../output/word.ts';
import type { Session } from '../session.ts';

const MIN_SHOWN_SKEW_SECONDS = 5;

/** Prints a service as text: its status with the reasons, its metrics, containers, parts and alerts. */
export async function describeService(service: Schema<'ServiceDetail'>, session: Session): Promise<void> {
  const { terminal } = session;
  const now = session.clock();
  const tags = Object.entries(service.tags).map(([name, value]) => `${name}=${value}`);
  const skew = service.clock_skew_seconds;
  const facts: [string, string][] = [
    ['id', service.id],
    ['status', `${service.status} for ${formatAge(service.status_since, now)}`],
    ...service.status_reasons.map(({ message }): [string, string] => ['', message]),
    ['last seen', `${formatAge(service.last_seen, now)} ago`],
    ['first seen', service.first_seen],
    [
      'interval',
      service.interval_seconds === null ? 'not known yet' : formatDuration(service.interval_seconds * 1_000),
    ],
    ...(skew !== null && Math.abs(skew) >= MIN_SHOWN_SKEW_SECONDS
      ? [['clock', `${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`] as [string, string]]
      : []),
    ['tags', tags.join(' ') || '-'],
  ];
  await showFacts(session, service.name, facts);
  await showSection(session, 'metrics', Object.keys(service.metrics).length);
  if (Object.keys(service.metrics).length > 0) {
    const rows = Object.entries(service.metrics).map(([name, value]) => [
      name,
      String(value),
      formatAge(service.metric_times[name], now),
    ]);
    await terminal.table([elastic('METRIC'), numeric('VALUE'), 'AGE'], rows);
  }
  if (service.containers.length > 0) {
    await showSection(session, 'containers', service.containers.length);
    const rows = service.containers.map(({ name, image, status, health, cpu_percent: cpu }) => [
      name,
      image ?? '-',
      health === null ? (status ?? '-') : `${status ?? '-'}, ${health}`,
      cpu === null ? '-' : cpu.toFixed(1),
    ]);
    await terminal.table([elastic('CONTAINER'), elastic('IMAGE'), 'STATUS', numeric('CPU %')], rows);
  }
  if (service.parts.length > 0) {
    await showSection(session, 'parts', service.parts.length);
    const rows = service.parts.flatMap(({ kind, name, metrics, time }) =>
      Object.entries(metrics).map(([metric, value]) => [
        `${kind}:${name}`,
        metric,
        String(value),
        formatAge(time, now),
      ]),
    );
    await terminal.table([elastic('PART'), 'METRIC', numeric('VALUE'), 'AGE'], rows);
  }
  if (service.alerts.length > 0) {
    await showSection(session, 'alerts', service.alerts.length);
    const rows = service.alerts.map((alert) => [alert.id, word(terminal, alert.severity), alert.summary]);
    await terminal.table(['ID', 'SEVERITY', elastic('SUMMARY')], rows);
  }
}
