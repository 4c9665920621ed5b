import type { Schema } from '@tidewatch/api-client/schema';
import { formatAge, formatDuration } from './output/age.ts';
import { safeText } from './output/safe-text.ts';
import { word } from './output/word.ts';
import type { Session } from './session.ts';

const SKEW_WORTH_TELLING_S = 5;

/** Prints a service for people: what it is, why it is so, its metrics, containers and alerts. */
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
    ...(skew !== null && Math.abs(skew) >= SKEW_WORTH_TELLING_S
      ? [['clock', `${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`] as [string, string]]
      : []),
    ['tags', tags.join(' ') || '-'],
  ];
  await terminal.print(`${terminal.paint('bold', safeText(service.name))}\n`);
  for (const [name, value] of facts) await terminal.print(`  ${name.padEnd(11)} ${safeText(value)}\n`);
  await section(session, 'metrics', Object.keys(service.metrics).length);
  if (Object.keys(service.metrics).length > 0) {
    const rows = Object.entries(service.metrics).map(([name, value]) => [
      name,
      String(value),
      formatAge(service.metric_times[name], now),
    ]);
    await terminal.table(
      [{ title: 'METRIC', elastic: true }, { title: 'VALUE', align: 'right' }, { title: 'AGE' }],
      rows,
    );
  }
  if (service.containers.length > 0) {
    await section(session, 'containers', service.containers.length);
    const rows = service.containers.map(({ name, image, status, cpu_percent: cpu }) => [
      name,
      image ?? '-',
      status ?? '-',
      cpu === null ? '-' : cpu.toFixed(1),
    ]);
    const columns = [
      { title: 'CONTAINER', elastic: true },
      { title: 'IMAGE', elastic: true },
      { title: 'STATUS' },
    ];
    await terminal.table([...columns, { title: 'CPU %', align: 'right' }], rows);
  }
  if (service.alerts.length > 0) {
    await section(session, 'alerts', service.alerts.length);
    const rows = service.alerts.map((alert) => [alert.id, word(terminal, alert.severity), alert.summary]);
    await terminal.table([{ title: 'ID' }, { title: 'SEVERITY' }, { title: 'SUMMARY', elastic: true }], rows);
  }
}

const section = ({ terminal }: Session, name: string, count: number) =>
  terminal.print(`\n${terminal.paint('bold', name)} (${count})\n`);
