import type { Schema } from '@tidewatch/api-client/schema';

/** The texts of the page of a host. */
export const TABS = {
  metrics: 'Metrics',
  parts: 'Parts',
  containers: 'Containers',
  processes: 'Processes',
  alerts: 'Alerts',
  changes: 'Changes',
  rules: 'Rules',
} as const;

export type TabName = keyof typeof TABS;

/** The tab of a URL. Links of notifications name a metric alone, which is on the first tab. */
export function tabOf({ tab }: { tab?: string | undefined }): TabName {
  return tab !== undefined && Object.hasOwn(TABS, tab) ? (tab as TabName) : 'metrics';
}

/** Why the host has its status: the reasons of the API as one line. */
export function reasonText({
  status_reasons: reasons,
}: Pick<Schema<'ServiceDetail'>, 'status_reasons'>): string {
  return reasons.map(({ message }) => message).join(' ');
}

/** Why a chart that a link names has no series, in a sentence; undefined where it has one. */
export function noSeriesText(metric: string, subject: string): string | undefined {
  if (subject.startsWith('process:'))
    return `Processes are kept as snapshots, not as series: ${metric} of ${subject.slice('process:'.length)} is on the tab Processes.`;
  if (metric === 'host.silent_minutes')
    return 'Minutes of silence are no series: the gaps of the charts below show when the host was silent.';
  return undefined;
}

/**
 * The name of the series of a metric that a rule evaluates: those of containers have no prefix, and those of parts, such as
 * the subject `part:filesystem:/var`, not their kind.
 */
export function seriesName(metric: string, subject = 'host'): string {
  const [prefix, kind] = subject.split(':', 2);
  if (prefix === 'part' && metric.startsWith(`${kind}.`)) return metric.slice(`${kind}.`.length);
  return metric.startsWith('container.') ? metric.slice('container.'.length) : metric;
}
